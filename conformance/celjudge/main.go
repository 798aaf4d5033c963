// celjudge tells what upstream makes of an expression in CEL: what is wrong with it, what it may cost, what it comes to for
// one value of `self`, and what that has cost; what one comes to that asks who may do what, how one patches an object, what
// types say of a policy's, and which functions there are. One JSON request per line on stdin, one JSON answer per line on
// stdout.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"strconv"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	admission "k8s.io/api/admissionregistration/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	schemacel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/version"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/cel/library"
)

type request struct {
	// Absent: nothing is known of self.
	Schema     json.RawMessage `json:"schema"`
	Expression string          `json:"expression"`
	Self       json.RawMessage `json:"self"`
	// One of these instead of self: all functions, a question about access, a patch, a policy.
	Functions bool                                 `json:"functions"`
	Access    *access                              `json:"access"`
	Mutation  *mutation                            `json:"mutation"`
	Policy    *admission.ValidatingAdmissionPolicy `json:"policy"`
}

type answer struct {
	Trouble  string `json:"trouble,omitempty"`
	Wrong    string `json:"wrong,omitempty"`
	Type     string `json:"type"`
	Estimate string `json:"estimate"`
	Value    string `json:"value"`
	Error    string `json:"error"`
	Cost     uint64 `json:"cost"`

	Functions []string                      `json:"functions,omitempty"`
	Object    json.RawMessage               `json:"object,omitempty"`
	Warnings  []admission.ExpressionWarning `json:"warnings,omitempty"`
}

// sizes is what apiextensions' own estimator, which is not exported, knows of the parts of self.
type sizes struct{ root *apiservercel.DeclType }

func (s *sizes) EstimateSize(element checker.AstNode) *checker.SizeEstimate {
	if len(element.Path()) == 0 || s.root == nil {
		return nil
	}
	node := s.root
	for _, name := range element.Path()[1:] {
		switch name {
		case "@items", "@values":
			node = node.ElemType
		case "@keys":
			node = node.KeyType
		default:
			field, found := node.Fields[name]
			if !found {
				return nil
			}
			node = field.Type
		}
		if node == nil {
			return nil
		}
	}
	return &checker.SizeEstimate{Min: 0, Max: uint64(node.MaxElements)}
}

func (s *sizes) EstimateCallCost(_, _ string, _ *checker.AstNode, _ []checker.AstNode) *checker.CallEstimate {
	return nil
}

func structural(raw json.RawMessage) (*structuralschema.Structural, error) {
	versioned := &v1.JSONSchemaProps{}
	if err := json.Unmarshal(raw, versioned); err != nil {
		return nil, err
	}
	schema := &apiextensions.JSONSchemaProps{}
	if err := v1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(versioned, schema, nil); err != nil {
		return nil, err
	}
	return structuralschema.NewStructural(schema)
}

func judge(line []byte) (out answer) {
	defer func() {
		if trouble := recover(); trouble != nil {
			out.Trouble = fmt.Sprint(trouble)
		}
	}()
	var in request
	if err := json.Unmarshal(line, &in); err != nil {
		return answer{Trouble: err.Error()}
	}
	if err := out.fill(in); err != nil {
		out.Trouble = err.Error()
	}
	return out
}

func (out *answer) fill(in request) (err error) {
	switch {
	case in.Functions:
		out.Functions, err = declared()
		return err
	case in.Access != nil:
		out.ask(in.Expression, in.Access)
		return nil
	case in.Mutation != nil:
		return out.mutate(in.Expression, in.Mutation)
	case in.Policy != nil:
		out.warn(in.Policy)
		return nil
	}
	return out.evaluate(in)
}

func (out *answer) evaluate(in request) error {
	var self any
	if err := utiljson.Unmarshal(in.Self, &self); err != nil {
		return err
	}
	options := environment.VersionedOptions{IntroducedVersion: version.MajorMinor(1, 0)}
	var decl *apiservercel.DeclType
	var value any = self
	if len(in.Schema) > 0 {
		schema, err := structural(in.Schema)
		if err != nil {
			return err
		}
		decl = model.SchemaDeclType(schema, false).MaybeAssignTypeName("selfType")
		options.EnvOptions = []cel.EnvOption{cel.Variable("self", decl.CelType())}
		options.DeclTypes = []*apiservercel.DeclType{decl}
		value = schemacel.UnstructuredToVal(self, schema)
	} else {
		options.EnvOptions = []cel.EnvOption{cel.Variable("self", cel.DynType)}
	}
	envs, err := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()).Extend(options)
	if err != nil {
		return err
	}
	env := envs.NewExpressionsEnv()
	ast, issues := env.Compile(in.Expression)
	if issues != nil {
		out.Wrong = issues.String()
		return nil
	}
	out.Type = ast.OutputType().String()
	estimator := &library.CostEstimator{SizeEstimator: &sizes{decl}}
	estimate, err := env.EstimateCost(ast, estimator)
	if err != nil {
		return err
	}
	out.Estimate = strconv.FormatFloat(float64(estimate.Max), 'g', 12, 64)
	program, err := env.Program(ast, cel.CostLimit(celconfig.PerCallLimit), cel.CostTracking(estimator))
	if err != nil {
		out.Wrong = err.Error()
		return nil
	}
	result, details, err := program.Eval(map[string]any{"self": value})
	if details != nil && details.ActualCost() != nil {
		out.Cost = *details.ActualCost()
	}
	if err != nil {
		out.Error = err.Error()
		return nil
	}
	out.Value = shown(result)
	return nil
}

// shown is a text for any value that says its type.
func shown(value ref.Val) string {
	switch v := value.(type) {
	case types.Null:
		return "null"
	case types.Double:
		return "double " + strconv.FormatFloat(float64(v), 'g', 15, 64)
	case *types.Optional:
		if v.HasValue() {
			return "optional " + shown(v.GetValue())
		}
		return "optional"
	case types.Timestamp, types.Duration:
		return v.Type().TypeName() + " " + string(v.ConvertToType(types.StringType).(types.String))
	case types.Bytes:
		return fmt.Sprintf("bytes %x", []byte(v))
	case traits.Lister:
		items := []string{}
		for it := v.Iterator(); it.HasNext() == types.True; {
			items = append(items, shown(it.Next()))
		}
		return "[" + strings.Join(items, ", ") + "]"
	case traits.Mapper:
		entries := []string{}
		for it := v.Iterator(); it.HasNext() == types.True; {
			key := it.Next()
			entries = append(entries, shown(key)+": "+shown(v.Get(key)))
		}
		sort.Strings(entries)
		return "{" + strings.Join(entries, ", ") + "}"
	case types.Bool, types.Int, types.Uint, types.String:
		return fmt.Sprintf("%s %v", v.Type().TypeName(), v.Value())
	}
	if text, isType := value.(*types.Type); isType {
		return "type " + text.TypeName()
	}
	return value.Type().TypeName()
}

func main() {
	reader := bufio.NewReaderSize(os.Stdin, 1<<20)
	writer := bufio.NewWriter(os.Stdout)
	for {
		line, err := reader.ReadBytes('\n')
		if len(line) > 0 {
			encoded, failure := json.Marshal(judge(line))
			if failure != nil {
				panic(failure)
			}
			writer.Write(append(encoded, '\n'))
			writer.Flush()
		}
		if err != nil {
			return
		}
	}
}
