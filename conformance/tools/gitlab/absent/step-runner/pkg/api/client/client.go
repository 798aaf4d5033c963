// Package client has what is asked of a step runner and what it answers.
package client

import "time"

type State int

const StateSuccess State = 1

type ErrorKind int

const (
	ErrorInternal ErrorKind = iota + 1
	ErrorStepFailure
	ErrorCancelled
	ErrorTimeout
	ErrorUnknown
)

type Status struct {
	State     State
	ErrorKind ErrorKind
	Message   string
}

type Variable struct {
	Key, Value   string
	File, Masked bool
}

type RunRequest struct {
	Id                string
	Timeout           *time.Duration
	WorkDir, BuildDir string
	Env               map[string]string
	Steps             string
	Variables         []Variable
}
