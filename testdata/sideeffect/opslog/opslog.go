// Package opsLog tells the people on call what goes on.
package opsLog

import (
	"bytes"
	"net/http"
)

// Alarm is for humans: once more hurts nobody.
func Alarm(text string) { tell("https://chat.example/hooks/oncall", text) }

func tell(url, text string) {
	resp, err := http.Post(url, "text/plain", bytes.NewReader([]byte(text)))
	if err == nil {
		resp.Body.Close()
	}
}
