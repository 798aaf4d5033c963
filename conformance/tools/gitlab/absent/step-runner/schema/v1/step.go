// Package schema has what jobs with `run` consist of, which no job of a judge has.
package schema

// Step is one step of such a job.
type Step struct {
	Name   *string
	Step   any
	Inputs StepInputs
	Run    []Step
}

// StepInputs are what a step is given.
type StepInputs map[string]any
