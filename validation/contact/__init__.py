"""Contact problems with known answers, solved by every contact method that applies."""
