/** Tasks and a pipeline as their users write them: steps behind each other, results, a shared folder, sidecars, branches. */
/** What steps run: busybox under a name that is not pulled anew. */
export const shellImage = 'docker.io/tekton/shell:judged';

const apiVersion = 'tekton.dev/v1';
const step = (name: string, script: string, more: object = {}) => ({
  ...{ name, image: shellImage, script: `#!/bin/sh\nset -e\n${script}\n` },
  ...more,
});
const result = (name: string) => ({ name, type: 'string' });
const parameter = (name: string, more: object = {}) => ({ name, type: 'string', ...more });

/** Steps that hand a file and a result on, beside a server that ends with them. */
export const greeting = {
  ...{ apiVersion, kind: 'Task', metadata: { name: 'greet' } },
  spec: {
    params: [parameter('whom', { default: 'nobody' })],
    results: [result('said')],
    workspaces: [{ name: 'shared' }],
    sidecars: [
      {
        ...{ name: 'server', image: shellImage, command: ['httpd', '-f', '-p', '8080', '-h', '/etc'] },
        readinessProbe: { tcpSocket: { port: 8080 }, periodSeconds: 1, timeoutSeconds: 10 },
      },
    ],
    steps: [
      step('write', 'echo "hello $(params.whom)" > $(workspaces.shared.path)/text'),
      step('fetch', 'wget -qO- http://127.0.0.1:8080/passwd >> $(workspaces.shared.path)/text'),
      step('tell', 'head -n1 text | tr -d "\\n" > $(results.said.path); cat text', {
        workingDir: '$(workspaces.shared.path)',
      }),
    ],
  },
};

/** Fails in its second step; the third may not run. */
export const failing = {
  ...{ apiVersion, kind: 'Task', metadata: { name: 'fail' } },
  spec: {
    steps: [
      step('tolerated', 'exit 3', { onError: 'continue' }),
      step('fails', 'echo no; exit 7'),
      step('never', 'echo never'),
    ],
  },
};

export const waiting = {
  ...{ apiVersion, kind: 'Task', metadata: { name: 'wait' } },
  spec: { steps: [step('sleep', 'sleep 1000')] },
};

/** Two branches that meet, one that is left out, one that needs a second try, and what is done in the end. */
export const pipeline = {
  ...{ apiVersion, kind: 'Pipeline', metadata: { name: 'build' } },
  spec: {
    params: [parameter('whom')],
    workspaces: [{ name: 'source' }],
    results: [{ name: 'said', value: '$(tasks.left.results.said)' }],
    tasks: [
      {
        ...{ name: 'left', taskRef: { name: 'greet' } },
        params: [{ name: 'whom', value: '$(params.whom)' }],
        workspaces: [{ name: 'shared', workspace: 'source' }],
      },
      {
        ...{ name: 'unsteady', retries: 1 },
        workspaces: [{ name: 'source' }],
        taskSpec: {
          workspaces: [{ name: 'source' }],
          steps: [
            step('try', 'cd $(workspaces.source.path); [ -e tried ] || { touch tried; exit 1; }; echo again'),
          ],
        },
      },
      {
        ...{ name: 'meet', runAfter: ['unsteady'] },
        workspaces: [{ name: 'source' }],
        taskSpec: {
          workspaces: [{ name: 'source' }],
          steps: [step('join', 'cat $(workspaces.source.path)/text; echo "got $(tasks.left.results.said)"')],
        },
      },
      {
        name: 'skipped',
        when: [{ input: '$(params.whom)', operator: 'in', values: ['somebody else'] }],
        taskSpec: { steps: [step('never', 'exit 1')] },
      },
    ],
    finally: [
      {
        name: 'report',
        params: [
          { name: 'one', value: '$(tasks.meet.status)' },
          { name: 'all', value: '$(tasks.status)' },
        ],
        taskSpec: {
          params: [parameter('one'), parameter('all')],
          steps: [step('tell', 'echo "done with it: $(params.one), $(params.all)"')],
        },
      },
    ],
  },
};

export const taskRun = (name: string, task: string, more: object = {}) => ({
  ...{ apiVersion, kind: 'TaskRun', metadata: { name } },
  spec: { taskRef: { name: task }, ...more },
});

/** Its folder is a claim of its own. */
export const pipelineRun = (name: string, whom: string) => ({
  ...{ apiVersion, kind: 'PipelineRun', metadata: { name } },
  spec: {
    pipelineRef: { name: 'build' },
    params: [{ name: 'whom', value: whom }],
    workspaces: [
      {
        name: 'source',
        volumeClaimTemplate: {
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '16Mi' } } },
        },
      },
    ],
  },
});
