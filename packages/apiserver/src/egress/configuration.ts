import { child, type JsonValue, ownValue } from '@wherry/kubeapi';
import { readConfigurationDocument } from '../documents/configuration-document.ts';
import { StrictReader } from '../documents/strict-reader.ts';

/** Which connections lead where (upstream: EgressSelectorConfiguration of apiserver.k8s.io/v1beta1); '' is what is not said. */
export interface EgressConfiguration {
  selections: readonly EgressSelection[];
}

export interface EgressSelection {
  /** `cluster`, `controlplane` or `etcd`, in any case. */
  name: string;
  proxyProtocol: string;
  transport: EgressTransport | undefined;
}

/** How the proxy is reached: in one of the two ways. */
export interface EgressTransport {
  tcp: TcpTransport | undefined;
  uds: { udsName: string } | undefined;
}

export interface TcpTransport {
  url: string;
  tlsConfig: TlsFiles | undefined;
}

/** Paths of PEM files, and the name that the proxy's certificate has to have. */
export interface TlsFiles {
  caBundle: string;
  clientKey: string;
  clientCert: string;
  tlsServerName: string;
}

/** What `controlplane` was called before; files may still say so. */
const oldName = 'master';

/** Of YAML or JSON. Throws an Error that names the field that it does not know or that has no such value. */
export function readEgress(file: Uint8Array): EgressConfiguration {
  const reader = new EgressReader();
  const root = readConfigurationDocument(file, reader, {
    kind: 'EgressSelectorConfiguration',
    apiVersions: ['apiserver.k8s.io/v1beta1', 'apiserver.k8s.io/v1alpha1'],
    fields: ['egressSelections'],
  });
  return {
    selections: reader
      .list(root, '', 'egressSelections')
      .map(([path, value]) => reader.selection(path, value)),
  };
}

class EgressReader extends StrictReader {
  selection(path: string, value: JsonValue): EgressSelection {
    const object = this.object(path, value, ['name', 'connection']);
    const name = this.text(child(path, 'name'), ownValue(object, 'name'));
    const place = child(path, 'connection');
    const connection = this.object(place, ownValue(object, 'connection'), ['proxyProtocol', 'transport']);
    return {
      name: name === oldName ? 'controlplane' : name,
      proxyProtocol: this.text(child(place, 'proxyProtocol'), ownValue(connection, 'proxyProtocol')),
      transport: this.#present(child(place, 'transport'), ownValue(connection, 'transport'), (at, given) =>
        this.#transport(at, given),
      ),
    };
  }

  #transport(path: string, value: JsonValue): EgressTransport {
    const object = this.object(path, value, ['tcp', 'uds']);
    return {
      tcp: this.#present(child(path, 'tcp'), ownValue(object, 'tcp'), (at, given) => this.#tcp(at, given)),
      uds: this.#present(child(path, 'uds'), ownValue(object, 'uds'), (at, given) => {
        const uds = this.object(at, given, ['udsName']);
        return { udsName: this.text(child(at, 'udsName'), ownValue(uds, 'udsName')) };
      }),
    };
  }

  #tcp(path: string, value: JsonValue): TcpTransport {
    const object = this.object(path, value, ['url', 'tlsConfig']);
    return {
      url: this.text(child(path, 'url'), ownValue(object, 'url')),
      tlsConfig: this.#present(child(path, 'tlsConfig'), ownValue(object, 'tlsConfig'), (at, given) => {
        const fields = this.object(at, given, ['caBundle', 'clientKey', 'clientCert', 'tlsServerName']);
        const text = (name: string) => this.text(child(at, name), ownValue(fields, name));
        return {
          ...{ caBundle: text('caBundle'), clientKey: text('clientKey'), clientCert: text('clientCert') },
          tlsServerName: text('tlsServerName'),
        };
      }),
    };
  }

  /** Undefined where nothing stands: an empty object is something else. */
  #present<T>(
    path: string,
    value: JsonValue | undefined,
    read: (path: string, value: JsonValue) => T,
  ): T | undefined {
    return value === undefined || value === null ? undefined : read(path, value);
  }
}
