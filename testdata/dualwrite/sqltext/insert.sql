-- Stores the place of a sensor.
INSERT INTO places (sensor, value) VALUES ($1, $2)
