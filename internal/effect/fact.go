package effect

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"path"
	"reflect"
	"runtime/debug"
	"strings"
	"sync"
)

// A Fact is what a package tells the packages that import it: the effect graphs that these may need. It speaks for the
// packages below as well, as far as its own graphs lead there, since go vet and nogo hand on the package facts of direct
// imports only. Data is a header and the compressed encoding; it is decoded when somebody asks.
type Fact struct {
	Data []byte

	decoded *decodedFact
}

// decodedFact is shared by the copies of a fact: drivers that keep a whole program in memory hand one fact to many.
type decodedFact struct {
	once    sync.Once
	payload *payload
	err     error
}

// AFact marks a Fact as a go/analysis fact.
func (*Fact) AFact() {}

// String describes the fact for people.
func (f *Fact) String() string { return fmt.Sprintf("effect graphs, %d bytes", len(f.Data)) }

// GobEncode implements gob.GobEncoder.
func (f *Fact) GobEncode() ([]byte, error) { return f.Data, nil }

// GobDecode implements gob.GobDecoder. The graphs are decoded when they are needed: most are not.
func (f *Fact) GobDecode(data []byte) error {
	*f = *newFact(bytes.Clone(data))
	return nil
}

func newFact(data []byte) *Fact { return &Fact{Data: data, decoded: &decodedFact{}} }

// payload is the content of a fact.
type payload struct {
	// Packages holds the package itself first, then those below it with the graphs that are needed of them. Packages of
	// a modelled generator are named without graphs.
	Packages []*Package
	// Targets are the functions that interface methods were found to reach: what a package below knows of its own types
	// may be out of sight further up.
	Targets []methodTargets
	// Library holds the graphs of the modelled library methods among the targets.
	Library []*Graph
}

type methodTargets struct {
	Method MethodKey
	Funcs  []FuncID
}

// ErrFactVersion means that a fact was written by another version of dmlint.
var ErrFactVersion = errors.New("the effect graphs of this package were written by another version of dmlint: clear the cache " +
	"(go clean -cache, golangci-lint cache clean) and run again")

// factFormat is to be raised when graphs of the same shape get another meaning. Changes of shape are noticed without it.
const factFormat = 1

const factMagic = "dmlint\x00"

// dictionary holds what most facts hold, so that the facts of small packages are small as well.
const dictionary = "insertupdatedeleteselectupsertreadwritepublishbeginrollbackcommitrun" +
	"(*github.com/jackc/pgx/v5/pgxpool.Pool).Exec(github.com/jackc/pgx/v5.Tx).QueryRow(*github.com/jmoiron/sqlx.DB).NamedExecContext" +
	"(*github.com/segmentio/kafka-go.Writer).WriteMessages(*gorm.io/gorm.DB).Create(*gorm.io/gorm.DB).Transaction" +
	"(*database/sql.DB).BeginTx(*database/sql.Tx).Rollback(*database/sql.Tx).Commit(*database/sql.Tx).QueryRowContext" +
	"(*database/sql.DB).ExecContext(*database/sql.Tx).ExecContext"

// headerSize is the size of what stands before the compressed data: the magic, the version and the size of the content.
const headerSize = len(factMagic) + 8 + 4

// factVersion identifies what writes facts: the shape of the graphs, and the build of dmlint where it has a version.
var factVersion = sync.OnceValue(func() uint64 {
	var text strings.Builder
	fmt.Fprintln(&text, factFormat, buildVersion(), dictionary)
	describe(reflect.TypeFor[payload](), &text)
	h := fnv.New64a()
	io.WriteString(h, text.String())
	return h.Sum64()
})

// buildVersion is the version of dmlint's module in this binary, whether it is the main module or golangci-lint's plugin.
func buildVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	const self = "github.com/dmlint/dmlint"
	if info.Main.Path == self {
		return info.Main.Version + info.Main.Sum
	}
	for _, dep := range info.Deps {
		if dep.Path == self {
			return dep.Version + dep.Sum
		}
	}
	return ""
}

// encodeFact makes a fact. The same payload always gives the same bytes.
func encodeFact(p *payload) *Fact {
	content := encodeValue(p)
	var buf bytes.Buffer
	buf.WriteString(factMagic)
	buf.Write(binary.LittleEndian.AppendUint64(nil, factVersion()))
	buf.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(content))))
	w, err := flate.NewWriterDict(&buf, flate.BestCompression, []byte(dictionary))
	if err != nil {
		panic(err) // the level is a constant
	}
	w.Write(content) // a bytes.Buffer takes everything
	w.Close()
	return newFact(buf.Bytes())
}

// payload decodes a fact once.
func (f *Fact) payload() (*payload, error) {
	d := f.decoded
	if d == nil {
		return decodeFact(f.Data)
	}
	d.once.Do(func() { d.payload, d.err = decodeFact(f.Data) })
	return d.payload, d.err
}

// maxExpansion bounds how much larger than the fact its content may be; deflate cannot do better than about 1000.
const maxExpansion = 1100

func decodeFact(data []byte) (*payload, error) {
	if len(data) < headerSize || string(data[:len(factMagic)]) != factMagic {
		return nil, errMalformed
	}
	if binary.LittleEndian.Uint64(data[len(factMagic):]) != factVersion() {
		return nil, ErrFactVersion
	}
	size := int64(binary.LittleEndian.Uint32(data[headerSize-4:]))
	if size > int64(len(data))*maxExpansion {
		return nil, errMalformed
	}
	r := flate.NewReaderDict(bytes.NewReader(data[headerSize:]), []byte(dictionary))
	content, err := io.ReadAll(io.LimitReader(r, size+1))
	if err != nil || int64(len(content)) != size {
		return nil, errMalformed
	}
	p := &payload{}
	if err := decodeValue(content, p); err != nil {
		return nil, err
	}
	return p, p.check()
}

// check refuses what would make a program panic later on.
func (p *payload) check() error {
	for _, pkg := range p.Packages {
		if pkg == nil {
			return errMalformed
		}
		for _, g := range pkg.Graphs {
			if g == nil {
				return errMalformed
			}
		}
	}
	for _, g := range p.Library {
		if g == nil {
			return errMalformed
		}
	}
	return nil
}

// factFiles names a package's files in a fact: by import path, so that facts do not depend on the directory they were
// made in.
func factFiles(pkg *Package) []string {
	files := make([]string, len(pkg.Files))
	for i, f := range pkg.Files {
		files[i] = path.Join(pkg.Path, path.Base(strings.ReplaceAll(f, `\`, "/")))
	}
	return files
}
