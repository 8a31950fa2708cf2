"""Walks to start from: strides of a body by the laws of animals, and the control that makes them."""
