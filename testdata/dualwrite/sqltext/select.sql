-- Finds the place of a sensor.
SELECT value FROM places WHERE sensor = $1
