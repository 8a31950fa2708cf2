"""Animals on other grounds and in another simulator."""
