/**
 * GitLab's runner as its module has it, with its executor for Kubernetes alone. Go's proxy has some modules of GitLab's not:
 * what needs them is left out, or refuses (`absent/`).
 */
import { sourceOf } from '../../peers/go-sources.ts';

const module = 'gitlab.com/gitlab-org/gitlab-runner';

/** A program of both: the runner, and what it calls in its helper's container. */
const main = `package main

import (
	"os"

	"github.com/sirupsen/logrus"
	"github.com/urfave/cli"
	"${module}/commands"
	"${module}/commands/helpers"
	"${module}/common"
	"${module}/executors"
	"${module}/executors/kubernetes"
	"${module}/log"
	"${module}/network"

	_ "${module}/shells"
)

func main() {
	providers := executors.NewProviderRegistry(map[string]common.ExecutorProvider{
		common.ExecutorKubernetes: kubernetes.NewProvider(),
	})
	collector := network.NewAPIRequestsCollector()
	client := network.NewGitLabClient(
		network.WithAPIRequestsCollector(collector),
		network.WithExecutorProviderFunc(providers.GetByName),
	)
	app := cli.NewApp()
	app.Name = "gitlab-runner"
	app.Commands = []cli.Command{
		commands.NewRunCommand(client, collector, providers),
		helpers.NewArtifactsDownloaderCommand(),
		helpers.NewArtifactsUploaderCommand(),
		helpers.NewCacheInitCommand(),
		helpers.NewHealthCheckCommand(),
		helpers.NewReadLogsCommand(),
	}
	log.ConfigureLogging(app)
	if err := app.Run(os.Args); err != nil {
		logrus.Fatal(err)
	}
}
`;

/** When idle pods are wanted, which no configuration of the judge says. */
const cron = `package cron

import (
	"errors"
	"time"
)

type Schedule struct{}

func (Schedule) Contains(time.Time) bool { return false }

func Parse(string, string) (Schedule, error) { return Schedule{}, errors.New("schedules are left out") }
`;

/** Values that a job is started with, which no job of the judge has. */
const inputs = `package spec

type Inputs struct{}

func (*Inputs) UnmarshalJSON([]byte) error { return nil }

func (*Inputs) SetMetricsCollector(*JobInputsMetricsCollector) {}

func ExpandInputs(*Inputs, any) error { return nil }
`;

/** Jobs that a step runner runs, which the judge has none of. */
const dispatch = `package common

import (
	"context"
	"errors"

	"${module}/common/spec"
	"gitlab.com/gitlab-org/step-runner/schema/v1"
)

const stepRunBuildStage = BuildStage("step_" + spec.StepNameRun)

func stepDispatch(*Build, Executor, BuildStage) (bool, []schema.Step) { return false, nil }

func stagesToConcreteStep(context.Context, Executor) ([]schema.Step, error) {
	return nil, errors.New("there is no step runner")
}
`;

const missingModules =
  /^.*gitlab-org\/(fleeting\/(?!nesting)|gitlab-runner\/helpers\/runner_wrapper|moa ).*\n/gm;
const billing = /(func \(mr \*RunCommand\) createSnowplowBillingWriter\(.*\n)[\s\S]*?\n\}\n/;
const autoscaler = 'executors/kubernetes/autoscaler';
const absent = '../../../conformance/tools/gitlab/absent';

/** The folder of the changed copy. */
export const gitlabSource = (): Promise<string> =>
  sourceOf('gitlab-runner', {
    module,
    version: 'v1.11.1-0.20260903214710-fc1f1862bd91',
    without: ['commands/wrapper.go', 'commands/helpers/proxy_exec.go', 'helpers/usage_log/snowplow'],
    replaced: {
      'gitlab.com/gitlab-org/labkit/v2': `${absent}/labkit`,
      'gitlab.com/gitlab-org/step-runner': `${absent}/step-runner`,
    },
    changed: {
      'main.go': () => main,
      'go.mod': (text) => text.replace(missingModules, ''),
      'common/spec/inputs.go': () => inputs,
      'common/build_step_dispatch.go': () => dispatch,
      'commands/multi.go': (text) =>
        text
          .replace(/^.*(labkit\/v2\/fields|events\/snowplow|snowplow\/oidc|usage_log\/snowplow)".*\n/gm, '')
          .replace(billing, '$1\treturn nil\n}\n'),
      [`${autoscaler}/cron/cron.go`]: () => cron,
      [`${autoscaler}/policy.go`]: (text) =>
        text.replace('gitlab.com/gitlab-org/fleeting/taskscaler', `${module}/${autoscaler}`),
    },
  });
