package effect

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis"
)

func TestStandardPath(t *testing.T) {
	for path, want := range map[string]bool{
		"fmt": true, "database/sql": true, "internal/abi": true, "vendor/golang.org/x/net/http/httpguts": true,
		"engine/E001": false, "example.test/shop": false, "github.com/a/b": false,
	} {
		assert.Equal(t, want, standardPath(path), path)
	}
}

// A user's module may bear the name of something in the standard library.
func TestModuleTellsStandard(t *testing.T) {
	assert.False(t, standard(&analysis.Pass{Module: &analysis.Module{Path: "text"}}))
	assert.True(t, standard(&analysis.Pass{Module: &analysis.Module{Path: "std"}}))
}

func TestPartOfLibrary(t *testing.T) {
	set, err := models()
	require.NoError(t, err)
	assert.True(t, partOfLibrary(set, "github.com/segmentio/kafka-go"))
	assert.True(t, partOfLibrary(set, "github.com/segmentio/kafka-go/protocol/fetch"))
	assert.False(t, partOfLibrary(set, "github.com/segmentio/kafka-tools"))
	assert.False(t, partOfLibrary(set, "database/sql"), "has no functions of its own to follow, but is no library")
}

func TestPackageEffects(t *testing.T) {
	set, err := models()
	require.NoError(t, err)
	classes := packageEffects(set)
	assert.Equal(t, delivers, classes["database/sql"])
	assert.Equal(t, reaches, classes["net/http"])
	assert.Equal(t, nothing, classes["sync/atomic"])
	assert.Equal(t, nothing, classes["strings"])
}

func TestReceiverType(t *testing.T) {
	recv, ok := receiverType("(a/b.T).M$1")
	assert.True(t, ok)
	assert.Equal(t, "a/b.T", recv)
	_, ok = receiverType("a/b.F")
	assert.False(t, ok)
}

func TestExportedCell(t *testing.T) {
	assert.True(t, exportedCell("a/b.T.Field"))
	assert.False(t, exportedCell("a/b.T.field"))
	assert.False(t, exportedCell(""))
}
