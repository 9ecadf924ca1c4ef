package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"runtime/debug"
	"sort"
	"strconv"
	"strings"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	krocel "github.com/kubernetes-sigs/kro/pkg/cel"
)

// PartialRequest asks what cel-go's partial evaluation makes of an expression, in kro's environment.
type PartialRequest struct {
	Expression string       `json:"expression"`
	Names      []string     `json:"names"`
	Runs       []PartialRun `json:"runs"`
}

// PartialRun has the values of the variables. Each unknown attribute is a path: a variable, then fields and keys as
// strings, indexes as numbers, and null for a wildcard.
type PartialRun struct {
	Variables json.RawMessage `json:"variables"`
	Unknown   [][]any         `json:"unknown"`
}

// PartialAnswer has an outcome for each run, or says why the expression does not compile.
type PartialAnswer struct {
	Invalid  string           `json:"invalid,omitempty"`
	Panic    string           `json:"panic,omitempty"`
	Outcomes []PartialOutcome `json:"outcomes,omitempty"`
}

// PartialOutcome is a value in a form that is the same for equal values, an error, or the unknown attributes.
type PartialOutcome struct {
	Value   *string `json:"value,omitempty"`
	Error   string  `json:"error,omitempty"`
	Unknown [][]any `json:"unknown,omitempty"`
}

// answerPartial answers one line of `judge partial`.
func answerPartial(line []byte) (answer any) {
	defer func() {
		if cause := recover(); cause != nil {
			answer = PartialAnswer{Panic: fmt.Sprintf("%v\n%s", cause, debug.Stack())}
		}
	}()
	var request PartialRequest
	if err := numbersIn(line, &request); err != nil {
		return PartialAnswer{Invalid: err.Error()}
	}
	program, err := partialProgram(request)
	if err != nil {
		return PartialAnswer{Invalid: err.Error()}
	}
	var outcomes []PartialOutcome
	for _, run := range request.Runs {
		outcomes = append(outcomes, partialOutcome(program, run))
	}
	return PartialAnswer{Outcomes: outcomes}
}

func partialProgram(request PartialRequest) (cel.Program, error) {
	env, err := partialEnvironment(request.Names)
	if err != nil {
		return nil, err
	}
	ast, issues := env.Compile(request.Expression)
	if issues.Err() != nil {
		return nil, issues.Err()
	}
	return env.Program(ast, cel.EvalOptions(cel.OptPartialEval))
}

var partialEnvironments sync.Map

// partialEnvironment returns kro's environment with these variables; creating one takes longer than an evaluation.
func partialEnvironment(names []string) (*cel.Env, error) {
	key := strings.Join(names, " ")
	if known, ok := partialEnvironments.Load(key); ok {
		return known.(*cel.Env), nil
	}
	options := append([]cel.EnvOption{}, krocel.BaseDeclarations()...)
	for _, name := range names {
		options = append(options, cel.Variable(name, cel.DynType))
	}
	env, err := cel.NewEnv(options...)
	if err == nil {
		partialEnvironments.Store(key, env)
	}
	return env, err
}

func partialOutcome(program cel.Program, run PartialRun) PartialOutcome {
	var variables map[string]any
	if err := numbersIn(run.Variables, &variables); err != nil {
		return PartialOutcome{Error: "request: " + err.Error()}
	}
	for name, value := range variables {
		variables[name] = wholeNumbers(value)
	}
	vars, err := cel.PartialVars(variables, attributePatterns(run.Unknown)...)
	if err != nil {
		return PartialOutcome{Error: "request: " + err.Error()}
	}
	value, _, err := program.Eval(vars)
	if unknown, ok := value.(*types.Unknown); ok {
		return PartialOutcome{Unknown: attributesOf(unknown)}
	}
	if err != nil {
		return PartialOutcome{Error: err.Error()}
	}
	text, fault := canonicalText(value)
	if fault != nil {
		return PartialOutcome{Error: "result: " + fault.Error()}
	}
	return PartialOutcome{Value: &text}
}

func attributePatterns(paths [][]any) []*cel.AttributePatternType {
	var patterns []*cel.AttributePatternType
	for _, path := range paths {
		variable, _ := path[0].(string)
		pattern := cel.AttributePattern(variable)
		for _, step := range path[1:] {
			switch step := step.(type) {
			case string:
				pattern = pattern.QualString(step)
			case json.Number:
				index, _ := step.Int64()
				pattern = pattern.QualInt(index)
			default:
				pattern = pattern.Wildcard()
			}
		}
		patterns = append(patterns, pattern)
	}
	return patterns
}

func attributesOf(unknown *types.Unknown) [][]any {
	attributes := [][]any{}
	for _, id := range unknown.IDs() {
		trails, _ := unknown.GetAttributeTrails(id)
		for _, trail := range trails {
			attributes = append(attributes, append([]any{trail.Variable()}, trail.QualifierPath()...))
		}
	}
	return attributes
}

// canonicalText writes a value with the types of its parts. Maps are in the order of the texts of their keys.
func canonicalText(value ref.Val) (string, error) {
	switch value := value.(type) {
	case *types.Err:
		return "", value
	case types.Null:
		return "null", nil
	case types.Bool:
		return strconv.FormatBool(bool(value)), nil
	case types.Int:
		return "i" + strconv.FormatInt(int64(value), 10), nil
	case types.Uint:
		return "u" + strconv.FormatUint(uint64(value), 10), nil
	case types.Double:
		return fmt.Sprintf("d%016x", math.Float64bits(float64(value))), nil
	case types.String:
		return fmt.Sprintf("s%x", string(value)), nil
	case types.Bytes:
		return fmt.Sprintf("b%x", []byte(value)), nil
	case *types.Optional:
		if !value.HasValue() {
			return "o()", nil
		}
		inner, err := canonicalText(value.GetValue())
		return "o(" + inner + ")", err
	case traits.Lister:
		var items []string
		for it := value.Iterator(); it.HasNext() == types.True; {
			item, err := canonicalText(it.Next())
			if err != nil {
				return "", err
			}
			items = append(items, item)
		}
		return "[" + strings.Join(items, ",") + "]", nil
	case traits.Mapper:
		var entries []string
		for it := value.Iterator(); it.HasNext() == types.True; {
			key := it.Next()
			name, err := canonicalText(key)
			if err != nil {
				return "", err
			}
			item, err := canonicalText(value.Get(key))
			if err != nil {
				return "", err
			}
			entries = append(entries, name+":"+item)
		}
		sort.Strings(entries)
		return "{" + strings.Join(entries, ",") + "}", nil
	}
	return "t" + value.Type().TypeName(), nil
}

func numbersIn(text []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	return decoder.Decode(into)
}

// wholeNumbers converts numbers as Kubernetes does: one without a fraction or an exponent is an int64.
func wholeNumbers(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for key, item := range value {
			value[key] = wholeNumbers(item)
		}
	case []any:
		for index, item := range value {
			value[index] = wholeNumbers(item)
		}
	case json.Number:
		if whole, err := value.Int64(); err == nil {
			return whole
		}
		float, _ := value.Float64()
		return float
	}
	return value
}
