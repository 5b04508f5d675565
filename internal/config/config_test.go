package config_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dmlint/dmlint/internal/config"
)

func TestParse(t *testing.T) {
	for name, tt := range map[string]struct {
		text            string
		handlers, inbox []config.Item
	}{
		"empty":               {text: ""},
		"only a comment":      {text: "# nothing\n"},
		"keys without values": {text: "handlers:\ntables:\n  inbox:\n"},
		"no keys":             {text: "tables: {}\n"},
		"one document":        {text: "---\nhandlers: []\n"},
		"the mark of Windows": {text: "\ufeffhandlers: []\r\n"},
		"functions": {
			text:     "handlers:\n  - example.com/shop/orders.OnPaid # a comment\n  - (*example.com/shop/orders.Service).OnPaid\n  - (example.com/shop/orders.Service).OnPaid\n",
			handlers: []config.Item{{"example.com/shop/orders.OnPaid", 2, 5}, {"(*example.com/shop/orders.Service).OnPaid", 3, 5}, {"(example.com/shop/orders.Service).OnPaid", 4, 5}},
		},
		"type parameters": {
			text:     "handlers: [\"example.com/a.F[int]\", '(*example.com/a.B[example.com/c.D[int]]).F']\n",
			handlers: []config.Item{{"example.com/a.F[int]", 1, 12}, {"(*example.com/a.B[example.com/c.D[int]]).F", 1, 36}},
		},
		"paths with dots and letters of all kinds": {
			text:     "handlers:\n- gopkg.in/mail.v2.Größe\n",
			handlers: []config.Item{{"gopkg.in/mail.v2.Größe", 2, 3}},
		},
		"tables": {
			text:  "tables:\n  inbox:\n    - seen\n    - 'public.Done_2'\n    - app.public.x\n",
			inbox: []config.Item{{"seen", 3, 7}, {"Done_2", 4, 7}, {"x", 5, 7}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			c, problems := config.Parse("f.yaml", []byte(tt.text))
			require.Empty(t, problems)
			assert.Equal(t, &config.Config{File: "f.yaml", Handlers: tt.handlers, Inbox: tt.inbox}, c)
		})
	}
}

func TestProblems(t *testing.T) {
	const list = "handlers is a list of functions and not "
	for text, want := range map[string]string{
		"- a\n":                             "f.yaml:1:1: the file holds keys (handlers, tables) and not a list",
		"text\n":                            "f.yaml:1:1: the file holds keys (handlers, tables) and not a text",
		"handler: []\n":                     `f.yaml:1:1: unknown key "handler": did you mean handlers?`,
		"\n\nrows: []\n":                    `f.yaml:3:1: unknown key "rows": the keys are handlers, tables`,
		"handlers: a.B\n":                   "f.yaml:1:11: " + list + "a text",
		"handlers: |\n  a.B\n":              "f.yaml:1:11: " + list + "a text",
		"handlers: true\n":                  "f.yaml:1:11: " + list + "true or false",
		"handlers: 1\n":                     "f.yaml:1:11: " + list + "a number",
		"handlers:\n  a.B: x\n":             "f.yaml:2:3: " + list + "keys with values",
		"handlers:\n  - 1.5\n":              "f.yaml:2:5: handlers holds names of functions and not a number",
		"handlers:\n  - a.B: x\n":           "f.yaml:2:5: handlers holds names of functions and not keys with values",
		"handlers:\n  - [a.B]\n":            "f.yaml:2:5: handlers holds names of functions and not a list",
		"handlers:\n  -\n":                  "f.yaml:2:5: handlers holds names of functions and not nothing",
		"handlers:\n  - *a.B\n":             "f.yaml:2:5: handlers holds names of functions and not an anchor or alias of YAML",
		"tables: [seen]\n":                  "f.yaml:1:9: tables holds keys (inbox) and not a list",
		"tables:\n  outbox: [x]\n":          `f.yaml:2:3: unknown key "outbox" in tables: the only one is inbox`,
		"tables:\n  inbox: seen\n":          "f.yaml:2:10: tables.inbox is a list of tables and not a text",
		"tables:\n  inbox: [a b]\n":         `f.yaml:2:11: tables.inbox: "a b" is no name of a table`,
		"tables:\n  inbox: [\"\"]\n":        `f.yaml:2:11: tables.inbox: "" is no name of a table`,
		"tables:\n  inbox: [a., .b, 'c%']":  "f.yaml:2:11: tables.inbox: \"a.\" is no name of a table\nf.yaml:2:15: tables.inbox: \".b\" is no name of a table\nf.yaml:2:19: tables.inbox: \"c%\" is no name of a table",
		"handlers: []\nhandlers: []\n":      `f.yaml:2:1: mapping key "handlers" already defined at [1:1]`,
		"handlers:\n\t- a.B\n":              `f.yaml:2:1: found character '\t' that cannot start any token`,
		"handlers: []\n---\nhandlers: []\n": "f.yaml:3:1: there is more than one document in the file",
		"tabels:\n  inbox: []\nhandlers: x": "f.yaml:1:1: unknown key \"tabels\": did you mean tables?\nf.yaml:3:11: " + list + "a text",
	} {
		_, problems := config.Parse("f.yaml", []byte(text))
		assert.Equal(t, want, problems.Error(), text)
	}
}

func TestSymbols(t *testing.T) {
	for _, symbol := range []string{"", "OnPaid", "a.", ".B", "a b.C", "(a.B.C", "a.B).C", "(a).B", "(**a.B).C", "*a.B", "a.B()", "a.B$1", "(a.B).C.D"} {
		c, problems := config.Parse("f.yaml", []byte("handlers:\n  - '"+symbol+"'\n"))
		require.Len(t, problems, 1, symbol)
		assert.ErrorContains(t, problems[0], "f.yaml:2:5: handlers: ", symbol)
		assert.ErrorContains(t, problems[0], "is no function: write example.com/", symbol)
		assert.Empty(t, c.Handlers)
	}
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	for _, module := range []string{"", dir} {
		c, problems, err := config.Load(module, dir)
		require.NoError(t, err)
		assert.Empty(t, problems)
		assert.Equal(t, &config.Config{}, c, "no file, no settings")
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, config.Name), []byte("handlers: [a.B]\nx: y\n"), 0o600))
	c, problems, err := config.Load(dir, dir)
	require.NoError(t, err)
	assert.Equal(t, []string{"a.B"}, config.Texts(c.Handlers), "what can be read is")
	assert.ErrorContains(t, problems, ".dmlint.yaml:2:1: unknown key")
	_, problems, err = config.Load(dir, filepath.Dir(dir))
	require.NoError(t, err)
	assert.Equal(t, filepath.Base(dir)+"/.dmlint.yaml", problems[0].File)
	_, problems, err = config.Load(dir, filepath.Join(dir, "below"))
	require.NoError(t, err)
	assert.Equal(t, filepath.ToSlash(filepath.Join(dir, ".dmlint.yaml")), problems[0].File)

	require.NoError(t, os.Remove(filepath.Join(dir, config.Name)))
	require.NoError(t, os.Mkdir(filepath.Join(dir, config.Name), 0o700))
	_, _, err = config.Load(dir, dir)
	assert.ErrorContains(t, err, config.Name)
}
