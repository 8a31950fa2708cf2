"""Raibert's running machines: planar and three-dimensional hoppers, a biped and a quadruped, under one control."""
