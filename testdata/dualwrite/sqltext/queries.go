package sqltext

import _ "embed"

// The statements of the sensors stand in a file of their own.
const (
	insertReading = `
		-- a reading is never changed
		INSERT INTO readings (sensor, value)
		VALUES ($1, $2)`
	selectReading = `SELECT value FROM readings WHERE sensor = $1 /* neither INSERT nor UPDATE */`

	columns  = "sensor, value"
	readings = "readings"

	withInsert = `WITH fresh AS (INSERT INTO readings (sensor, value) VALUES ($1, $2) RETURNING value) SELECT value FROM fresh`
	withSelect = `WITH latest AS (SELECT value FROM readings WHERE sensor = $1) SELECT value FROM latest`
)

var (
	//go:embed insert.sql
	embeddedInsert string
	//go:embed select.sql
	embeddedSelect string

	// joined is put together when the program starts.
	joined = "UPDATE " + readings + " SET value = $2 WHERE sensor = $1"
)
