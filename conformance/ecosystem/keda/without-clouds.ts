/**
 * KEDA without the clouds, brokers and databases that it scales by, whose libraries are 2,000 packages: hours on a small
 * machine. Of its triggers those are left that a cluster itself has; what it does about them stays as it is.
 */
import { copyFileSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The triggers that are left, by the files and the constructors of their scalers. */
const triggers = new Map([
  ['cpu_memory_scaler.go', 'NewCPUMemoryScaler'],
  ['cron_scaler.go', 'NewCronScaler'],
  ['kubernetes_resource_scaler.go', 'NewKubernetesResourceScaler'],
  ['kubernetes_workload_scaler.go', 'NewKubernetesWorkloadScaler'],
  ['metrics_api_scaler.go', 'NewMetricsAPIScaler'],
]);

/** What stands for the clouds: the folders here, and those of the module that they belong in. */
const standIns = {
  scalers: 'pkg/scalers',
  resolver: 'pkg/scaling/resolver',
  eventemitter: 'pkg/eventemitter',
};

/** Copies the module in `source` to `folder`, where it can be built with what is left of it. */
export function copyWithoutClouds(source: string, folder: string): void {
  cpSync(source, folder, { recursive: true });
  const remove = (path: string, isKept: (file: string) => boolean) => {
    for (const file of readdirSync(join(folder, path)))
      if (file.endsWith('.go') && !isKept(file)) rmSync(join(folder, path, file));
  };
  const change = (path: string, how: (text: string) => string) => {
    writeFileSync(join(folder, path), how(readFileSync(join(folder, path), 'utf8')));
  };
  remove('pkg/scalers', (file) => file === 'scaler.go' || triggers.has(file));
  const constructors = [...triggers.values()];
  const isLeft = (body: string) => constructors.some((name) => body.includes(`scalers.${name}(`));
  const cases = /^\tcase "[^\n]*\n(?:\t\t[^\n]*\n|\t\/\/[^\n]*\n)*/gm;
  change('pkg/scaling/scalers_builder.go', (text) =>
    text.replaceAll(cases, (body) => (isLeft(body) ? body : '')),
  );
  // Of what it knows of Azure the names of parameters are needed elsewhere.
  const principal = 'azure_service_principal.go';
  remove('pkg/scalers/azure', (file) => file === principal);
  change(
    `pkg/scalers/azure/${principal}`,
    (text) => `package azure\n\n${/^const \($.*?^\)$/ms.exec(text)?.[0]}\n`,
  );
  remove('pkg/scaling/resolver', (file) => !/^(aws|azure|gcp)_/.test(file));
  remove('pkg/eventemitter', (file) => !file.startsWith('azure_'));
  for (const [stand, path] of Object.entries(standIns))
    copyFileSync(join(import.meta.dirname, stand, 'clouds.go'), join(folder, path, 'clouds.go'));
}
