/** A definition of a resource `widgets.example.com`, in the manner of well-known ones; `spec` overrides parts of it. */
export function widgetDefinition(spec: Record<string, unknown> = {}): object {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget', shortNames: ['wd'], categories: ['all'] },
      versions: [widgetVersion('v1', { storage: true }), widgetVersion('v1beta1', { deprecated: true })],
      ...spec,
    },
  };
}

function widgetVersion(name: string, more: object): object {
  return {
    ...{ name, served: true, storage: false },
    schema: { openAPIV3Schema: widgetSchema },
    subresources: {
      status: {},
      scale: {
        specReplicasPath: '.spec.size',
        statusReplicasPath: '.status.size',
        labelSelectorPath: '.status.selector',
      },
    },
    selectableFields: [{ jsonPath: '.spec.color' }],
    additionalPrinterColumns: [
      { name: 'Color', type: 'string', jsonPath: '.spec.color' },
      { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
      { name: 'Size', type: 'integer', jsonPath: '.spec.size', priority: 1 },
    ],
    ...more,
  };
}

const condition = {
  type: 'object',
  required: ['type', 'status'],
  properties: { type: { type: 'string' }, status: { type: 'string' } },
};

const widgetSchema = {
  type: 'object',
  description: 'A thing that is made.',
  required: ['spec'],
  properties: {
    spec: {
      type: 'object',
      description: 'What is wanted of the widget.',
      required: ['color'],
      properties: {
        color: { type: 'string', enum: ['red', 'green', 'blue'], description: 'How it looks.' },
        size: { type: 'integer', minimum: 0, maximum: 10, default: 1 },
        port: { 'x-kubernetes-int-or-string': true },
        name: { type: 'string', pattern: '^[a-z]+$', maxLength: 8 },
        extra: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        parts: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: {
            type: 'object',
            required: ['name'],
            properties: { name: { type: 'string' }, weight: { type: 'number', default: 1.5 } },
          },
        },
        template: {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          'x-kubernetes-preserve-unknown-fields': true,
        },
      },
    },
    status: {
      type: 'object',
      properties: {
        size: { type: 'integer' },
        selector: { type: 'string' },
        conditions: { type: 'array', items: condition },
      },
    },
  },
};
