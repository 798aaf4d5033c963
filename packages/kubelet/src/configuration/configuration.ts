/**
 * `KubeletConfiguration` of `kubelet.config.k8s.io/v1beta1`: every field of upstream's, with its default
 * (k8s.io/kubelet config/v1beta1/types.go, pkg/kubelet/apis/config/v1beta1/defaults.go), and what is made of it. Durations
 * are decoded to milliseconds, quantities to numbers. docs/fields/kubelet-configuration.md is written from it.
 */
import { noEffect } from './claims.ts';
import { choice, type FieldType } from './field-types.ts';
import { nodeFields } from './node-fields.ts';
import { podFields } from './pod-fields.ts';
import { section } from './section.ts';
import { servingFields } from './serving-fields.ts';

const kind = 'KubeletConfiguration';
const version = 'kubelet.config.k8s.io/v1beta1';

/** The whole document. */
export const configurationFields = section({
  apiVersion: noEffect(choice([version], version), 'there is one'),
  kind: noEffect(choice([kind], kind), 'there is one'),
  ...servingFields,
  ...podFields,
  ...nodeFields,
});

/** A decoded configuration. */
export type KubeletConfiguration = typeof configurationFields extends FieldType<infer T> ? T : never;
