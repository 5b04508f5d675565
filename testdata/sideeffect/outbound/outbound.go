// Package outbound calls partners from the handlers of messages.
package outbound

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/go-resty/resty/v2"
	"github.com/google/uuid"
	"github.com/segmentio/kafka-go"
)

type shipped struct {
	ID, Parcel, To string
}

// Doer is what sends requests.
type Doer interface {
	Do(req *http.Request) (*http.Response, error)
}

// Listener handles messages.
type Listener struct {
	reader *kafka.Reader
	client Doer
	rest   *resty.Client
	base   string
}

// New makes a listener that really sends.
func New(r *kafka.Reader) *Listener {
	return &Listener{reader: r, client: http.DefaultClient, rest: resty.New()}
}

// Run handles one message after the other.
func (l *Listener) Run(ctx context.Context) error {
	if err := l.hello(ctx); err != nil {
		return err
	}
	for {
		m, err := l.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		var s shipped
		if err := json.Unmarshal(m.Value, &s); err != nil {
			return err
		}
		for _, step := range []error{
			l.label(ctx, s), l.tell(ctx, m, s), l.put(ctx, s), l.ask(ctx, s), l.place(ctx, s), l.booked(ctx, s),
			l.rested(ctx, s), l.restedKeyed(ctx, s), l.described(ctx, s), l.traced(ctx, s), l.sentOnce(ctx, s),
		} {
			if step != nil {
				return step
			}
		}
		if err := l.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

// hello is said before any message comes.
func (l *Listener) hello(ctx context.Context) error {
	_, err := http.Post(l.base+"/instances", "text/plain", nil)
	return err
}

func (l *Listener) label(ctx context.Context, s shipped) error {
	body, err := json.Marshal(map[string]string{"parcel": s.Parcel, "to": s.To})
	if err != nil {
		return err
	}
	if err := l.send(ctx, http.MethodPost, "/labels", body); err != nil { // want advice "sideeffect/no-key"
		return err
	}
	return l.send(ctx, http.MethodPut, "/parcels/"+s.Parcel, body)
}

// send is used for all kinds of requests.
func (l *Listener) send(ctx context.Context, method, path string, body []byte) error {
	req, err := http.NewRequestWithContext(ctx, method, l.base+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	return l.do(req)
}

func (l *Listener) do(req *http.Request) error {
	resp, err := l.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode >= http.StatusBadRequest {
		return fmt.Errorf("refused: %s", resp.Status)
	}
	return nil
}

// tell passes the message on with its ID in a header.
func (l *Listener) tell(ctx context.Context, m kafka.Message, s shipped) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, l.base+"/hooks", bytes.NewReader(m.Value))
	if err != nil {
		return err
	}
	sign(req, s)
	return l.do(req)
}

func sign(req *http.Request, s shipped) {
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-Event-ID", s.ID)
}

func (l *Listener) put(ctx context.Context, s shipped) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPut, l.base+"/shipments/"+s.ID, nil)
	if err != nil {
		return err
	}
	return l.do(req)
}

func (l *Listener) ask(ctx context.Context, s shipped) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, l.base+"/addresses/search", bytes.NewReader([]byte(s.To)))
	if err != nil {
		return err
	}
	return l.do(req)
}

type order struct {
	Reference string
	To        string
}

// place sends a body by whose reference the partner knows the order.
func (l *Listener) place(ctx context.Context, s shipped) error {
	body, err := json.Marshal(order{Reference: s.ID, To: s.To})
	if err != nil {
		return err
	}
	return l.send(ctx, http.MethodPost, "/orders", body)
}

// booked gives the reference a value of its own each time.
func (l *Listener) booked(ctx context.Context, s shipped) error {
	body, err := json.Marshal(order{Reference: uuid.NewString(), To: s.To})
	if err != nil {
		return err
	}
	return l.send(ctx, http.MethodPost, "/bookings", body) // want advice "sideeffect/no-key"
}

func (l *Listener) rested(ctx context.Context, s shipped) error {
	_, err := l.rest.R().SetContext(ctx).SetBody(map[string]string{"to": s.To}).Post(l.base + "/couriers") // want advice "sideeffect/no-key"
	return err
}

func (l *Listener) restedKeyed(ctx context.Context, s shipped) error {
	_, err := l.rest.R().SetContext(ctx).SetHeader("Idempotency-Key", s.ID).SetBody(s).Post(l.base + "/couriers")
	return err
}

type request struct {
	Method, URL string
	Headers     map[string]string
	Body        []byte
}

// described goes through a request of the program's own.
func (l *Listener) described(ctx context.Context, s shipped) error {
	if err := l.perform(ctx, &request{Method: "POST", URL: l.base + "/pickups", Body: []byte(s.To)}); err != nil { // want advice "sideeffect/no-key"
		return err
	}
	if err := l.perform(ctx, &request{Method: "GET", URL: l.base + "/pickups"}); err != nil {
		return err
	}
	return l.perform(ctx, &request{Method: "POST", URL: l.base + "/pickups", Body: []byte(s.To), Headers: map[string]string{"Idempotency-Key": s.ID}})
}

func (l *Listener) perform(ctx context.Context, r *request) error {
	req, err := http.NewRequestWithContext(ctx, r.Method, r.URL, bytes.NewReader(r.Body))
	if err != nil {
		return err
	}
	for k, v := range r.Headers {
		req.Header.Set(k, v)
	}
	return l.do(req)
}

// traced has an ID for people only.
func (l *Listener) traced(ctx context.Context, s shipped) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, l.base+"/pallets", bytes.NewReader([]byte(s.To)))
	if err != nil {
		return err
	}
	req.Header.Set("X-Request-ID", uuid.NewString())
	return l.do(req) // want advice "sideeffect/no-key"
}

// sentOnce is made by a helper.
func (l *Listener) sentOnce(ctx context.Context, s shipped) error {
	req, err := l.request(ctx, "/crates", s)
	if err != nil {
		return err
	}
	return l.do(req)
}

func (l *Listener) request(ctx context.Context, path string, s shipped) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, l.base+path, bytes.NewReader([]byte(s.To)))
	if err != nil {
		return nil, err
	}
	req.Header.Add("X-Dedup-Id", s.ID)
	return req, nil
}
