package main

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// function writes a function of n lines.
func function(name string, n int) string {
	return "func " + name + "() {\n" + strings.Repeat("\t_ = 0\n", n-2) + "}\n"
}

func TestMeasure(t *testing.T) {
	m, err := measure(fstest.MapFS{
		"a/a.go":            {Data: []byte("package a\n" + function("f", 101) + function("g", 100))},
		"a/a_test.go":       {Data: []byte("package a\n" + function("t", 101))},
		"b/b.go":            {Data: []byte("package b\n" + strings.Repeat("\n", 400))},
		"c/c.go":            {Data: []byte("package c\n" + strings.Repeat("\n", 399))},
		"testdata/t.go":     {Data: []byte("no Go at all")},
		".hidden/h.go":      {Data: []byte("no Go at all")},
		"d/notes.txt":       {Data: []byte("no Go at all")},
		"d/x/testdata/t.go": {Data: []byte("no Go at all")},
	})
	require.NoError(t, err)
	assert.Equal(t, "4 files; 2 functions, of which half have at most 100 lines and 90% at most 100", m.summary())
	assert.Equal(t, []string{
		"a/a.go:2: function f of 101 lines, more than 100",
		"a/a_test.go:2: function t of 101 lines, more than 100",
		"b/b.go: file of 401 lines, more than 400",
		"half of the functions have more than 15 lines",
		"a tenth of the functions have more than 40 lines",
	}, m.complaints())

	_, err = measure(fstest.MapFS{"a.go": {Data: []byte("no Go at all")}})
	assert.ErrorContains(t, err, "a.go:1:1")
}

func TestPercentile(t *testing.T) {
	m := &measured{}
	assert.Zero(t, m.percentile(90))
	for n := range 11 {
		m.functions = append(m.functions, 10-n)
	}
	assert.Equal(t, 5, m.percentile(50))
	assert.Equal(t, 9, m.percentile(90))
	assert.Empty(t, m.complaints())
}
