package schema

import (
	"strings"

	"github.com/dmlint/dmlint/internal/sqltext"
)

// read takes in a field's tag.
func (c *column) read(lib, tag string) {
	switch lib {
	case "gorm":
		c.readGorm(tag)
	case "xorm":
		c.readXorm(tag)
	default:
		c.readBun(tag)
	}
}

// readGorm reads `gorm:"column:order_id;uniqueIndex:idx_a,priority:2"`.
func (c *column) readGorm(tag string) {
	for opt := range strings.SplitSeq(tag, ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(opt), ":")
		value = strings.TrimSpace(value)
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "column":
			c.name = strings.ToLower(value)
		case "primarykey", "primary_key":
			c.primary = !strings.EqualFold(value, "false")
		case "autoincrement", "auto_increment":
			c.manual = strings.EqualFold(value, "false")
			c.generated = !c.manual
		case "unique":
			c.unique = append(c.unique, "")
		case "uniqueindex", "unique_index":
			c.unique = append(c.unique, indexName(value))
		case "index":
			if uniqueIndex(value) {
				c.unique = append(c.unique, indexName(value))
			} else {
				c.indexes = append(c.indexes, indexName(value))
			}
		case "default":
			c.generated = c.generated || generated("DEFAULT "+value)
		case "type":
			c.generated = c.generated || generated(value)
		}
	}
}

// uniqueIndex reports whether the options of an index say so: "idx_a,unique", "idx_a,class:UNIQUE".
func uniqueIndex(value string) bool {
	for part := range strings.SplitSeq(value, ",") {
		if part = strings.TrimSpace(part); strings.EqualFold(part, "unique") || strings.EqualFold(part, "class:unique") {
			return true
		}
	}
	return false
}

// indexName returns the name of an index, or of what it is composed with: "idx_a,priority:2", ",composite:a".
func indexName(value string) string {
	name, opts, _ := strings.Cut(value, ",")
	for opt := range strings.SplitSeq(opts, ",") {
		if composite, ok := strings.CutPrefix(strings.TrimSpace(opt), "composite:"); ok && name == "" {
			return "composite " + composite
		}
	}
	return strings.TrimSpace(name)
}

// generated reports whether a column with this type and default gets its value from the database.
func generated(definition string) bool {
	for _, c := range sqltext.Changes("ALTER TABLE t ADD c " + definition) {
		if c.Generated {
			return true
		}
	}
	return false
}

// readBun reads `bun:"id,pk,autoincrement"` and go-pg's `pg:"id,pk"`, whose words are the same.
func (c *column) readBun(tag string) {
	name, opts, _ := strings.Cut(tag, ",")
	if name != "" && !strings.Contains(name, ":") {
		c.name = strings.ToLower(name)
	}
	for opt := range strings.SplitSeq(opts, ",") {
		word, value, _ := strings.Cut(strings.TrimSpace(opt), ":")
		switch word {
		case "pk":
			c.primary = true
		case "autoincrement", "identity":
			c.generated = true
		case "unique":
			c.unique = append(c.unique, value)
		case "default":
			c.generated = c.generated || generated("DEFAULT "+value)
		case "type":
			c.generated = c.generated || generated(value)
		}
	}
}

// readXorm reads `xorm:"'order_id' bigint pk autoincr unique(a)"`.
func (c *column) readXorm(tag string) {
	for _, word := range strings.Fields(tag) {
		low := strings.ToLower(word)
		switch {
		case word[0] == '\'':
			c.name = strings.ToLower(strings.Trim(word, "'"))
		case low == "pk":
			c.primary = true
		case low == "autoincr":
			c.generated = true
		case low == "unique":
			c.unique = append(c.unique, "")
		case strings.HasPrefix(low, "unique("):
			c.unique = append(c.unique, strings.Trim(low[len("unique"):], "()"))
		}
	}
}
