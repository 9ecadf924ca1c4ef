// Command harness runs Argo CD's own code for the tests, without a cluster:
//
//	harness cmp-server --config-dir-path DIR   argocd-cmp-server, as it runs in the sidecar
//	harness repo-server                        the repo-server's service, asked with JSON lines (see protocol.go)
//	harness applicationsets                    what the ApplicationSet controller makes of each line (see applicationset.go)
//	harness fates KUBECONFIG                   what the controllers delete in each history and order (see fates.go)
//
// The first two read their environment as Argo CD does: ARGOCD_PLUGINSOCKFILEPATH, ARGOCD_CMP_WORKDIR, TMPDIR,
// ARGOCD_REPO_SERVER_PARALLELISM_LIMIT.
package main

import (
	"fmt"
	"os"

	cmpserver "github.com/argoproj/argo-cd/v3/cmd/argocd-cmp-server/commands"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "harness:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("needs one of cmp-server, repo-server, applicationsets, fates")
	}
	switch args[0] {
	case "cmp-server":
		command := cmpserver.NewCommand()
		command.SetArgs(args[1:])
		return command.Execute()
	case "repo-server":
		return serve(os.Stdin, os.Stdout)
	case "applicationsets":
		return generate(os.Stdin, os.Stdout)
	case "fates":
		if len(args) != 2 {
			return fmt.Errorf("fates needs a kubeconfig")
		}
		return decideFates(args[1], os.Stdin, os.Stdout)
	default:
		return fmt.Errorf("unknown command %q", args[0])
	}
}
