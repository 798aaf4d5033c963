package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// document is one object of an answer in protobuf.
type document struct {
	// Of a watch's event.
	Type   string          `json:"type,omitempty"`
	Object json.RawMessage `json:"object,omitempty"`
	// What is not as upstream writes the same object, but for fields that say nothing.
	Complaint string `json:"complaint,omitempty"`
}

// open reads the body of an answer: an object, or the frames of a watch.
func open(in request) (out answer, err error) {
	if in.Format != "frames" {
		out.Opened = []document{openObject("", in.Protobuf)}
		return out, nil
	}
	for rest := in.Protobuf; len(rest) > 0; {
		if len(rest) < 4 || int(binary.BigEndian.Uint32(rest)) > len(rest)-4 {
			return out, fmt.Errorf("a frame is cut: %x", rest)
		}
		end := 4 + binary.BigEndian.Uint32(rest)
		var event metav1.WatchEvent
		if err := event.Unmarshal(rest[4:end]); err != nil {
			return out, err
		}
		out.Opened = append(out.Opened, openObject(event.Type, event.Object.Raw))
		rest = rest[end:]
	}
	return out, nil
}

func openObject(eventType string, body []byte) document {
	complain := func(err error) document { return document{Type: eventType, Complaint: err.Error()} }
	object, _, err := protobufSerializer.Decode(body, nil, nil)
	if err != nil {
		return complain(err)
	}
	text, err := json.Marshal(object)
	if err != nil {
		return complain(err)
	}
	opened := document{Type: eventType, Object: text}
	var again bytes.Buffer
	if err := protobufSerializer.Encode(object, &again); err != nil {
		return complain(err)
	}
	if !saysAll(body[4:], again.Bytes()[4:]) {
		opened.Complaint = fmt.Sprintf("%x, not %x", body, again.Bytes())
	}
	return opened
}

// field is one of a message, with the bytes behind its tag (and its length).
type field struct {
	tag   uint64
	value []byte
}

// saysAll is true of the same fields in the same order, but for those that say nothing, which one may lack.
func saysAll(message, whole []byte) bool {
	if bytes.Equal(message, whole) {
		return true
	}
	fields, isMessage := fieldsOf(message)
	wanted, isOther := fieldsOf(whole)
	if !isMessage || !isOther {
		return false
	}
	at := 0
	for _, want := range wanted {
		if at < len(fields) && fields[at].tag == want.tag && isSame(fields[at], want) {
			at++
		} else if !want.saysNothing() {
			return false
		}
	}
	return at == len(fields)
}

func isSame(one, other field) bool {
	return bytes.Equal(one.value, other.value) || one.tag&7 == 2 && saysAll(one.value, other.value)
}

func (f field) saysNothing() bool {
	if f.tag&7 != 2 {
		return len(bytes.Trim(f.value, "\x00")) == 0
	}
	parts, isMessage := fieldsOf(f.value)
	for _, part := range parts {
		if !part.saysNothing() {
			return false
		}
	}
	return isMessage
}

func fieldsOf(message []byte) (fields []field, ok bool) {
	for len(message) > 0 {
		tag, size := binary.Uvarint(message)
		if size <= 0 || tag>>3 == 0 {
			return nil, false
		}
		message = message[size:]
		length := 0
		switch tag & 7 {
		case 0:
			_, length = binary.Uvarint(message)
		case 1:
			length = 8
		case 2:
			said, size := binary.Uvarint(message)
			if size <= 0 || said > uint64(len(message)-size) {
				return nil, false
			}
			message, length = message[size:], int(said)
		case 5:
			length = 4
		default:
			return nil, false
		}
		if length < 0 || length > len(message) || length == 0 && tag&7 == 0 {
			return nil, false
		}
		fields = append(fields, field{tag, message[:length]})
		message = message[length:]
	}
	return fields, true
}
