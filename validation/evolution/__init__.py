"""Evolution measured: searches on tasks, controllers beside each other, time to walk, and what mutations change."""
