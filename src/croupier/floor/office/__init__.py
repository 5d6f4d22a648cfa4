"""The office: staff, devices, and who came in; a stream of its own."""
