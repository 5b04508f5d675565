package schema

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"
)

// A sqlFile is a file of SQL that defines something.
type sqlFile struct {
	folder string // of the history that it belongs to
	name   string // that orders it there
	text   string
}

// newSQLFile says where the file of a name belongs. Prisma and others have a folder for each migration.
func newSQLFile(name, text string) sqlFile {
	folder, base := path.Split(name)
	folder = path.Clean(folder)
	if base == "migration.sql" || base == "up.sql" {
		return sqlFile{path.Dir(folder), path.Join(path.Base(folder), base), text}
	}
	return sqlFile{folder, base, text}
}

var (
	downName = regexp.MustCompile(`(?i)([._-]|^)(down|undo|rollback)\.sql$|^U\d+__`)
	// undoName are names of scripts that clear a database. A migration has a number, and does what its name says.
	undoName = regexp.MustCompile(`(?i)(^|[._-])(drop|down|teardown|cleanup|clean|rollback|revert|undo|reset|uninstall)([._-]|$)`)
	numbered = regexp.MustCompile(`^[VvRB]?\d`)
)

// undoes reports whether a file takes back what others do.
func undoes(name string) bool {
	base := path.Base(name)
	if downName.MatchString(base) || path.Base(path.Dir(name)) == "down" {
		return true
	}
	return !numbered.MatchString(base) && undoName.MatchString(base)
}

// defines tells texts that may define a table from queries.
var defines = regexp.MustCompile(`(?i)\b(create\s+(unlogged\s+)?(table|unique)|(alter|drop|rename)\s+(table|index))\b`)

// migrationMark begins the part of a file that is run forwards or backwards: goose, sql-migrate, dbmate, rambler, or a
// comment of that one word.
var migrationMark = regexp.MustCompile(`(?i)^\s*--\s*(?:(?:\+\s*goose|\+\s*migrate|\+\s*micrate|rambler)\s+(up|down)\b|migrate:\s*(up|down)\b|(up|down)\s*:?\s*$)`)

// ternMark ends the part of a file of tern that is run forwards.
const ternMark = "---- create above / drop below ----"

var copyData = regexp.MustCompile(`(?i)^COPY\s.*\sFROM\s+stdin`)

// upPart returns what of a file is run forwards, without data and what psql is told.
func upPart(text string) string {
	var out strings.Builder
	up, data := true, false
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		mark := migrationMark.FindStringSubmatch(line)
		switch {
		case trimmed == ternMark:
			return out.String()
		case data:
			data = trimmed != `\.`
		case copyData.MatchString(line):
			data = true
		case mark != nil:
			up = strings.EqualFold(mark[1]+mark[2]+mark[3], "up")
		case up && !strings.HasPrefix(trimmed, `\`):
			out.WriteString(line)
		}
	}
	return out.String()
}

// histories runs files, each folder by itself and in the order of names.
func histories(files []sqlFile) []*table {
	slices.SortStableFunc(files, func(a, b sqlFile) int {
		return cmp.Or(cmp.Compare(a.folder, b.folder), compareNatural(a.name, b.name))
	})
	var ts []*table
	for len(files) > 0 {
		h, folder, migrated := newHistory(), files[0].folder, false
		for len(files) > 0 && files[0].folder == folder {
			h.run(upPart(files[0].text))
			migrated = migrated || numbered.MatchString(path.Base(files[0].name)) || numbered.MatchString(files[0].name)
			files = files[1:]
		}
		for _, t := range h.all() {
			t.migrated = migrated
			ts = append(ts, t)
		}
	}
	return ts
}

var digits = regexp.MustCompile(`\d+|\D+`)

// compareNatural orders names with numbers by these: 9_a before 10_b.
func compareNatural(a, b string) int {
	as, bs := digits.FindAllString(a, -1), digits.FindAllString(b, -1)
	for i := range min(len(as), len(bs)) {
		x, y := as[i], bs[i]
		if isDigit(x[0]) && isDigit(y[0]) {
			x, y = strings.TrimLeft(x, "0"), strings.TrimLeft(y, "0")
			if c := cmp.Compare(len(x), len(y)); c != 0 {
				return c
			}
		}
		if c := cmp.Compare(x, y); c != 0 {
			return c
		}
	}
	return cmp.Or(cmp.Compare(len(as), len(bs)), cmp.Compare(a, b))
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
