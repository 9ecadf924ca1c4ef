// Command judge answers what kro's own engine makes of packages: one JSON request a line on standard input, one JSON
// answer a line on standard output, in the order of the requests. Nothing of kro is copied: the graph builder, the
// runtime and the API server's code for CRDs are imported. `judge objects` answers what an API server says of custom
// objects (see object.go).
//
// It needs no cluster: kinds of Kubernetes come from OpenAPI documents that an API server published (see openapi.go),
// kinds of a package from its CRDs, published as an API server would.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"sync"

	"k8s.io/klog/v2"
)

// maxLine bounds a request, in bytes.
const maxLine = 64 << 20

func main() {
	dir := flag.String("openapi", "", "folder with the documents of an API server, written by `judge dump`")
	rgd := flag.String("rgd", "", "file with kro's CRD of ResourceGraphDefinitions")
	flag.Parse()
	klog.SetOutput(os.Stderr)
	// Memory is cheaper than its collection: a package is small, and forgotten as soon as it is judged.
	debug.SetGCPercent(400)
	if flag.Arg(0) == "dump" {
		exitOn(dump(flag.Arg(1), *dir))
		return
	}
	if flag.Arg(0) == "objects" {
		serve(answerObjects)
		return
	}
	core, err := loadDocuments(*dir)
	exitOn(err)
	exitOn(loadRGDAdmission(*rgd))
	serve(func(line []byte) any { return answerPackage(core, line) })
}

func exitOn(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "judge:", err)
		os.Exit(2)
	}
}

// serve answers requests on as many workers as there are processors, in the order in which they came.
func serve(answerTo func(line []byte) any) {
	type job struct {
		line   []byte
		answer chan []byte
	}
	queue := make(chan job)
	pending := make(chan chan []byte, 64)
	for range runtime.GOMAXPROCS(0) {
		go func() {
			for one := range queue {
				one.answer <- textOf(answerTo(one.line))
			}
		}()
	}
	var done sync.WaitGroup
	done.Add(1)
	go func() {
		defer done.Done()
		out := bufio.NewWriter(os.Stdout)
		defer out.Flush()
		for answer := range pending {
			out.Write(<-answer)
			out.WriteByte('\n')
			if len(pending) == 0 {
				out.Flush()
			}
		}
	}()
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(make([]byte, 0, 1<<20), maxLine)
	for in.Scan() {
		line := append([]byte(nil), in.Bytes()...)
		if len(line) == 0 {
			continue
		}
		answer := make(chan []byte, 1)
		pending <- answer
		queue <- job{line, answer}
	}
	close(pending)
	done.Wait()
	exitOn(in.Err())
}

// answerPackage never fails: a request that cannot be read and a panic of the engine are answers too.
func answerPackage(core *documents, line []byte) (answer any) {
	var request Request
	defer func() {
		if cause := recover(); cause != nil {
			answer = Answer{ID: request.ID, Stage: "panic", Error: fmt.Sprint(cause)}
			fmt.Fprintf(os.Stderr, "judge: %s: panic: %v\n%s", request.ID, cause, debug.Stack())
		}
	}()
	if err := json.Unmarshal(line, &request); err != nil {
		return Answer{Stage: "request", Error: err.Error()}
	}
	return judge(core, request)
}

func textOf(answer any) []byte {
	text, err := json.Marshal(answer)
	if err != nil {
		text, _ = json.Marshal(Answer{Stage: "request", Error: err.Error()})
	}
	return text
}
