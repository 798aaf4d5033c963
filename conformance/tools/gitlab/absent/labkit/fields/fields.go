// Package fields has the names of fields of log lines that GitLab's runner writes.
package fields

const (
	HTTPStatusCode = "status"
	DurationS      = "duration_s"
)

// Deprecated are older names; this stand-in knows none.
var Deprecated map[string]struct{ Standard string }

// VariantVersion tells since when a name is the standard one.
var VariantVersion map[string]int
