// The oracle of templates: text/template with the functions of slim-sprig, and those that ResourceSets add to them.
//
// It reads requests from standard input, one JSON object a line, and answers each with one line:
//
//	{"template": TEXT, "inputs": ANY, "left": "<<", "right": ">>"}   {"output": BASE64} or {"error": MESSAGE}
//	{"canonical": ANY}                                               {"output": BASE64}
//
// The second one requests the text of an entry of a ResourceSet before it is parsed as a template.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"text/template"
	"time"

	sprig "github.com/go-task/slim-sprig/v3"
	"github.com/gosimple/slug"
	"sigs.k8s.io/yaml"
)

type request struct {
	Template  *string         `json:"template"`
	Inputs    json.RawMessage `json:"inputs"`
	Left      string          `json:"left"`
	Right     string          `json:"right"`
	Canonical json.RawMessage `json:"canonical"`
}

type response struct {
	Output []byte `json:"output"`
	Error  string `json:"error,omitempty"`
}

// The maximum length of a label.
const slugLength = 63

// The timeout of a template.
const patience = 5 * time.Second

func main() {
	time.Local = time.UTC
	slug.MaxLength = slugLength
	reader := bufio.NewReaderSize(os.Stdin, 1<<20)
	writer := bufio.NewWriter(os.Stdout)
	for {
		line, err := reader.ReadBytes('\n')
		if err != nil {
			return
		}
		answer, err := json.Marshal(judge(line))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		writer.Write(append(answer, '\n'))
		if reader.Buffered() == 0 {
			writer.Flush()
		}
	}
}

func judge(line []byte) response {
	var asked request
	if err := json.Unmarshal(line, &asked); err != nil {
		return response{Error: "request: " + err.Error()}
	}
	if asked.Template == nil {
		var escaped bytes.Buffer
		json.HTMLEscape(&escaped, asked.Canonical)
		text, err := yaml.JSONToYAML(escaped.Bytes())
		return responseOf(text, err)
	}
	answers := make(chan response, 1)
	go func() { answers <- responseOf(render(asked)) }()
	select {
	case answer := <-answers:
		return answer
	case <-time.After(patience):
		return response{Error: "timeout"}
	}
}

func responseOf(text []byte, err error) response {
	if err != nil {
		return response{Error: err.Error()}
	}
	return response{Output: text}
}

func render(asked request) (text []byte, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("panic: %v", fault)
		}
	}()
	inputs, err := inputsOf(asked.Inputs)
	if err != nil {
		return nil, err
	}
	parsed, err := template.New("judged").
		Delims(asked.Left, asked.Right).
		Funcs(sprig.HermeticTxtFuncMap()).
		Funcs(template.FuncMap{
			"inputs":     func() any { return inputs },
			"slugify":    slug.Make,
			"toYaml":     func(v any) string { text, _ := yaml.Marshal(v); return string(text) },
			"mustToYaml": func(v any) (string, error) { text, err := yaml.Marshal(v); return string(text), err },
		}).
		Option("missingkey=error").
		Parse(*asked.Template)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = parsed.Execute(&out, nil)
	return out.Bytes(), err
}

// inputsOf reads inputs as Kubernetes does: a number without a fraction or an exponent is an int64.
func inputsOf(raw json.RawMessage) (map[string]any, error) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var inputs map[string]any
	if err := decoder.Decode(&inputs); err != nil {
		return nil, err
	}
	converted, _ := numbers(inputs).(map[string]any)
	return converted, nil
}

func numbers(value any) any {
	switch value := value.(type) {
	case map[string]any:
		if value == nil {
			return nil
		}
		for key, item := range value {
			value[key] = numbers(item)
		}
		return value
	case []any:
		for index, item := range value {
			value[index] = numbers(item)
		}
		return value
	case json.Number:
		if !strings.ContainsAny(value.String(), ".eE") {
			if whole, err := value.Int64(); err == nil {
				return whole
			}
		}
		float, _ := value.Float64()
		return float
	}
	return value
}
