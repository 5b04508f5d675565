package effect

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// The encoding of facts is made for two things: graphs are full of zeros and of the same few strings, and graphs get new
// fields often. It therefore follows the Go types by reflection, writes of a struct only the fields that are set, and
// every string once. gob would write its description of the types into every fact, which is more than the graphs of a
// small package.

// A plan knows how to write and read the values of one type.
type plan struct {
	write func(w *factWriter, v reflect.Value)
	read  func(r *factReader, v reflect.Value)
}

// factWriter collects an encoded value and the strings in it.
type factWriter struct {
	buf     []byte
	strings map[string]int
	table   []string
}

// encodeValue writes a value with its table of strings in front.
func encodeValue(v any) []byte {
	w := &factWriter{strings: map[string]int{}}
	rv := reflect.ValueOf(v).Elem()
	planOf(rv.Type()).write(w, rv)
	head := binary.AppendUvarint(nil, uint64(len(w.table)))
	for _, s := range w.table {
		head = binary.AppendUvarint(head, uint64(len(s)))
		head = append(head, s...)
	}
	return append(head, w.buf...)
}

func (w *factWriter) uint(n uint64) { w.buf = binary.AppendUvarint(w.buf, n) }

func (w *factWriter) string(s string) {
	i, ok := w.strings[s]
	if !ok {
		i = len(w.table)
		w.strings[s] = i
		w.table = append(w.table, s)
	}
	w.uint(uint64(i))
}

// errMalformed means that the bytes are no encoded value.
var errMalformed = errors.New("malformed effect graphs")

// factReader reads what a factWriter has written. It stops at the first thing that is wrong, and never asks for more
// memory than the size of the data warrants.
type factReader struct {
	buf    []byte
	table  []string
	err    error
	budget int
}

// memoryPerByte bounds how much larger than its encoding a value may be.
const memoryPerByte = 128

// decodeValue reads a value that encodeValue has written into v, a pointer.
func decodeValue(data []byte, v any) error {
	r := &factReader{buf: data, budget: memoryPerByte*len(data) + 4096}
	for range r.length(16) {
		n := r.length(1)
		r.table = append(r.table, string(r.buf[:n]))
		r.buf = r.buf[n:]
	}
	rv := reflect.ValueOf(v).Elem()
	planOf(rv.Type()).read(r, rv)
	if r.err == nil && len(r.buf) > 0 {
		r.err = errMalformed
	}
	return r.err
}

func (r *factReader) fail() {
	r.err = errMalformed
	r.buf = nil
}

func (r *factReader) uint() uint64 {
	n, size := binary.Uvarint(r.buf)
	if size <= 0 {
		r.fail()
		return 0
	}
	r.buf = r.buf[size:]
	return n
}

// length reads the number of elements of the given size that follow: each takes at least a byte.
func (r *factReader) length(size uintptr) int {
	n := r.uint()
	if !r.affords(n, size) {
		return 0
	}
	return int(n)
}

// nilable reads a length that is written plus one; 0 stands for nil.
func (r *factReader) nilable(size uintptr) (n int, isNil bool) {
	plus := r.uint()
	if plus == 0 || !r.affords(plus-1, size) {
		return 0, true
	}
	return int(plus - 1), false
}

// affords takes the memory for n values of a size, or fails.
func (r *factReader) affords(n uint64, size uintptr) bool {
	if n > uint64(len(r.buf)) || n*uint64(size) > uint64(r.budget) {
		r.fail()
		return false
	}
	r.budget -= int(n) * int(size)
	return true
}

func (r *factReader) string() string {
	i := r.uint()
	if i >= uint64(len(r.table)) {
		r.fail()
		return ""
	}
	return r.table[i]
}

var plans = map[reflect.Type]*plan{}

// init makes the plans of everything that facts hold, so that reading and writing share them without a lock.
func init() { makePlan(reflect.TypeFor[payload]()) }

func planOf(t reflect.Type) *plan { return plans[t] }

func makePlan(t reflect.Type) *plan {
	if p := plans[t]; p != nil {
		return p
	}
	var p *plan
	switch t.Kind() {
	case reflect.Struct:
		p = structPlan(t)
	case reflect.Slice:
		p = slicePlan(t)
	case reflect.Map:
		p = mapPlan(t)
	case reflect.Pointer:
		p = pointerPlan(t)
	default:
		p = basicPlan(t)
	}
	plans[t] = p
	return p
}

func basicPlan(t reflect.Type) *plan {
	switch t.Kind() {
	case reflect.String:
		return &plan{
			func(w *factWriter, v reflect.Value) { w.string(v.String()) },
			func(r *factReader, v reflect.Value) { v.SetString(r.string()) },
		}
	case reflect.Bool:
		return &plan{
			func(w *factWriter, v reflect.Value) {
				if v.Bool() {
					w.uint(1)
				} else {
					w.uint(0)
				}
			},
			func(r *factReader, v reflect.Value) { v.SetBool(r.uint() != 0) },
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return &plan{
			func(w *factWriter, v reflect.Value) { w.buf = binary.AppendVarint(w.buf, v.Int()) },
			func(r *factReader, v reflect.Value) {
				n := r.uint()
				v.SetInt(int64(n>>1) ^ -int64(n&1))
			},
		}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return &plan{
			func(w *factWriter, v reflect.Value) { w.uint(v.Uint()) },
			func(r *factReader, v reflect.Value) { v.SetUint(r.uint()) },
		}
	}
	panic(fmt.Sprintf("effect graphs hold a %s, which facts cannot hold", t))
}

// structPlan writes a bit for each field that is not zero, then those fields.
func structPlan(t reflect.Type) *plan {
	fields := make([]*plan, t.NumField())
	for i := range fields {
		fields[i] = makePlan(t.Field(i).Type)
	}
	if len(fields) > 64 {
		panic(fmt.Sprintf("%s has more than 64 fields", t))
	}
	return &plan{
		func(w *factWriter, v reflect.Value) {
			var set uint64
			for i := range fields {
				if !v.Field(i).IsZero() {
					set |= 1 << i
				}
			}
			w.uint(set)
			for i, f := range fields {
				if set&(1<<i) != 0 {
					f.write(w, v.Field(i))
				}
			}
		},
		func(r *factReader, v reflect.Value) {
			set := r.uint()
			for i, f := range fields {
				if set&(1<<i) != 0 && r.err == nil {
					f.read(r, v.Field(i))
				}
			}
		},
	}
}

// slicePlan writes the length plus one, so that nil and empty stay apart.
func slicePlan(t reflect.Type) *plan {
	elem := makePlan(t.Elem())
	return &plan{
		func(w *factWriter, v reflect.Value) {
			if v.IsNil() {
				w.uint(0)
				return
			}
			w.uint(uint64(v.Len()) + 1)
			for i := range v.Len() {
				elem.write(w, v.Index(i))
			}
		},
		func(r *factReader, v reflect.Value) {
			n, isNil := r.nilable(t.Elem().Size())
			if isNil {
				return
			}
			v.Set(reflect.MakeSlice(t, n, n))
			for i := 0; i < n && r.err == nil; i++ {
				elem.read(r, v.Index(i))
			}
		},
	}
}

// mapPlan writes the entries in the order of their keys, which are strings.
func mapPlan(t reflect.Type) *plan {
	key, elem := makePlan(t.Key()), makePlan(t.Elem())
	return &plan{
		func(w *factWriter, v reflect.Value) {
			keys := v.MapKeys()
			slices.SortFunc(keys, func(a, b reflect.Value) int { return cmp.Compare(a.String(), b.String()) })
			w.uint(uint64(len(keys)) + 1)
			for _, k := range keys {
				key.write(w, k)
				elem.write(w, v.MapIndex(k))
			}
		},
		func(r *factReader, v reflect.Value) {
			n, isNil := r.nilable(t.Key().Size() + t.Elem().Size())
			if isNil {
				return
			}
			v.Set(reflect.MakeMap(t))
			for i := 0; i < n && r.err == nil; i++ {
				k, e := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
				key.read(r, k)
				elem.read(r, e)
				v.SetMapIndex(k, e)
			}
		},
	}
}

// pointerPlan writes whether there is something, then that.
func pointerPlan(t reflect.Type) *plan {
	elem := makePlan(t.Elem())
	return &plan{
		func(w *factWriter, v reflect.Value) {
			if v.IsNil() {
				w.uint(0)
				return
			}
			w.uint(1)
			elem.write(w, v.Elem())
		},
		func(r *factReader, v reflect.Value) {
			if r.uint() != 1 || !r.affords(1, t.Elem().Size()) {
				return
			}
			v.Set(reflect.New(t.Elem()))
			elem.read(r, v.Elem())
		},
	}
}

// describe writes down what the encoding of a type depends on.
func describe(t reflect.Type, out *strings.Builder) {
	out.WriteString(t.String())
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			out.WriteString(" " + t.Field(i).Name + ":")
			describe(t.Field(i).Type, out)
		}
	case reflect.Slice, reflect.Pointer:
		out.WriteString(" of ")
		describe(t.Elem(), out)
	case reflect.Map:
		describe(t.Key(), out)
		describe(t.Elem(), out)
	default:
		out.WriteString("=" + t.Kind().String())
	}
}
