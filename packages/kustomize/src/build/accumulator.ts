/** What a kustomization has gathered so far: objects, where transformers look, variables. */
import {
  emptyConfiguration,
  mergeConfigurations,
  type TransformerConfiguration,
} from '../configuration/transformer-configuration.ts';
import { ResourceList } from '../model/resource-list.ts';

export class Accumulator {
  readonly resources = new ResourceList();
  configuration: TransformerConfiguration = emptyConfiguration();

  addConfiguration(other: TransformerConfiguration): void {
    this.configuration = mergeConfigurations(this.configuration, other);
  }

  /** Takes in all of another. Throws KustomizeError where an object is there already. */
  absorb(other: Accumulator): void {
    this.resources.appendAll(other.resources.items);
    this.addConfiguration(other.configuration);
  }
}
