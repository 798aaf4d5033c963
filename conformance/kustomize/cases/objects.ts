/** Objects that many kustomizations are about. */

export const deployment = (name: string, more = ''): string => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
spec:
  selector:
    matchLabels:
      app: ${name}
  template:
    metadata:
      labels:
        app: ${name}
    spec:
      containers:
      - name: ${name}
        image: nginx:1.25
        ports:
        - containerPort: 80
${more}`;

export const service = (name: string): string => `apiVersion: v1
kind: Service
metadata:
  name: ${name}
spec:
  selector:
    app: ${name}
  ports:
  - port: 80
    targetPort: 8080
`;

export const configMap = (name: string, data = 'a: b'): string => `apiVersion: v1
kind: ConfigMap
metadata:
  name: ${name}
data:
  ${data}
`;

/** One text of several objects. */
export const documents = (...texts: string[]): string => texts.join('---\n');
