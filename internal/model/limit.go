package model

import (
	"fmt"
	"slices"
)

// Limit says, of a step that gives a message back, who ends that in the end.
type Limit string

// The limits of deliveries. The empty one is for steps that do not bring the message back, or where it is not known.
const (
	NoLimit  Limit = "none"     // nobody, unless a setting of the library says so: a classic queue
	SetLimit Limit = "settings" // where the subscription is made: nobody unless it says so there
)

// A Setting is something that a program says to a library about how messages are delivered: a field that it fills in, a
// function that it calls, or an entry in a map of arguments.
type Setting struct {
	// Field is "import/path.Type.Field" (more names for a field of a struct without a name), Call a function's symbol, Key a
	// key of a map; Value is the constant without which a field or key says something else. Wraps is a type of handlers:
	// whoever makes one of another may do something about failures.
	Field string `yaml:"field,omitempty"`
	Call  string `yaml:"call,omitempty"`
	Key   string `yaml:"key,omitempty"`
	Value string `yaml:"value,omitempty"`
	Wraps string `yaml:"wraps,omitempty"`
	// Does is what it is about.
	Does SettingKind `yaml:"does"`
	// Off is the number that means no limit; Default says that there is a limit where nothing is said.
	Off     string `yaml:"off,omitempty"`
	Default bool   `yaml:"default,omitempty"`
	Note    string `yaml:"note,omitempty"`

	// Library is the family that the setting came from; set by the loader.
	Library string `yaml:"-"`
}

// SettingKind says what a setting is about.
type SettingKind string

// The kinds of settings.
const (
	Limits     SettingKind = "limits"     // bounds how often a message is delivered
	Subscribes SettingKind = "subscribes" // makes the subscription, which could have a limit
	Retries    SettingKind = "retries"    // bounds how often something is tried in place

	// What follows is evidence for people, and no rule looks at it.

	DeadLetters SettingKind = "dead-letters" // puts messages aside that fail
	ExactlyOnce SettingKind = "exactly-once" // asks a client not to send or deliver twice
	Single      SettingKind = "single"       // makes one partition, or lets one consumer in
	Metric      SettingKind = "metric"       // makes a metric; what it is called is kept
	Outboxes    SettingKind = "outbox"       // makes a publisher that writes a table
	Relays      SettingKind = "relay"        // runs what publishes the rows of such a table, one process at a time
)

// settingKinds are all kinds.
var settingKinds = []SettingKind{Limits, Subscribes, Retries, DeadLetters, ExactlyOnce, Single, Metric, Outboxes, Relays}

// An Answer is a constant that a handler returns to give its message back.
// An Answer is what a handler returns to give its message back: a constant, or an error.
type Answer struct {
	// Type is the result's type, Const the name of the constant in the type's package. Given is instead the type of the
	// parameter by which a handler is known whose errors bring the message back.
	Type  string `yaml:"type,omitempty"`
	Const string `yaml:"const,omitempty"`
	Given string `yaml:"given,omitempty"`
	Limit Limit  `yaml:"limit"`

	Library string `yaml:"-"`
}

func (s *Setting) check() error {
	named := 0
	for _, name := range []string{s.Field, s.Call, s.Key, s.Wraps} {
		if name != "" {
			named++
		}
	}
	switch {
	case named != 1:
		return fmt.Errorf("setting needs one of field, call, key and wraps")
	case !slices.Contains(settingKinds, s.Does):
		return fmt.Errorf("unknown kind of setting %q", s.Does)
	}
	return nil
}

func (l Limit) check() error {
	if l != "" && l != NoLimit && l != SetLimit {
		return fmt.Errorf("unknown limit %q", l)
	}
	return nil
}

// settings are what a file says about limits; they are checked and entered.
func (s *Set) addLimits(f *File) error {
	for i := range f.Settings {
		st := &f.Settings[i]
		st.Library = f.Library
		if err := st.check(); err != nil {
			return err
		}
		for _, name := range []string{st.Field, Normalise(st.Call), st.Key, st.Wraps} {
			if name != "" {
				s.settings[name] = append(s.settings[name], st)
			}
		}
	}
	for i := range f.Answers {
		a := &f.Answers[i]
		a.Library = f.Library
		if err := a.Limit.check(); err != nil {
			return err
		}
		if (a.Type == "" || a.Const == "") == (a.Given == "") {
			return fmt.Errorf("answer needs a type and a constant, or given")
		}
		key := a.Type + a.Given
		s.answers[key] = append(s.answers[key], a)
	}
	return nil
}

// Settings gives the settings of a field, a function or a key of a map.
func (s *Set) Settings(name string) []*Setting { return s.settings[name] }

// Answers gives the constants of a type by which a handler gives its message back, or what is known of handlers that are
// given a value of the type.
func (s *Set) Answers(typ string) []*Answer { return s.answers[typ] }
