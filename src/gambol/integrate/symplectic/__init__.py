"""Methods that keep an energy near the true one for ever, and those that are built like them."""
