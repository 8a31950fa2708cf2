"""Raibert's running machines: hoppers in the plane and in space, a biped and a quadruped, under one control."""
