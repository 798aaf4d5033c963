import {
  LabelMatcher,
  type LabelOperator,
  type PersistentVolumeClaim,
  parseQuantity,
  Quantity,
} from '@wherry/kubeapi/objects';
import { storageClassOf } from '../storage.ts';
import { countOf, objectCountName, type QuotaMeasure } from './measure.ts';

const countName = objectCountName({ group: '', plural: 'persistentvolumeclaims' });
const claimNames = ['persistentvolumeclaims', 'requests.storage'];
const ofClass = '.storageclass.storage.k8s.io/';
const onePerUnit = 1_000_000_000n;

/** Claims and their storage, in all and by storage class; the scope is that of volume attributes classes. */
export const claimMeasure: QuotaMeasure<PersistentVolumeClaim> = {
  measures: (name) =>
    name === countName ||
    claimNames.includes(name) ||
    claimNames.some((claimName) => name.endsWith(`${ofClass}${claimName}`)),
  usage(claim) {
    const className = storageClassOf(claim);
    const used = new Map([[countName, countOf(1)]]);
    const storage = storageOf(claim);
    const add = (name: string, amount: Quantity | undefined) => {
      if (!amount) return;
      used.set(name, amount);
      if (className !== '') used.set(`${className}${ofClass}${name}`, amount);
    };
    add('persistentvolumeclaims', countOf(1));
    add('requests.storage', storage);
    return used;
  },
  isInScope({ scopeName, operator, values = [] }, claim) {
    if (scopeName !== 'VolumeAttributesClass') return false;
    const names = attributeClasses(claim);
    const matcher = new LabelMatcher([{ key: scopeName, operator: operator as LabelOperator, values }]);
    if (names.size === 0) return matcher.matches({});
    return [...names].some((name) => matcher.matches({ [scopeName]: name }));
  },
  mayUseMore(next, previous, subresource) {
    if (subresource === '') return true;
    const allocated = ({ status }: PersistentVolumeClaim) => status?.allocatedResources?.['storage'];
    const isOther = attributeClasses(next).symmetricDifference(attributeClasses(previous)).size > 0;
    return subresource === 'status' && (isOther || allocated(next) !== allocated(previous));
  },
};

/** What is asked for, or what a resize has come to take if that is more; in whole bytes. */
function storageOf({ spec, status }: PersistentVolumeClaim): Quantity | undefined {
  const asked = spec?.resources?.requests?.['storage'];
  if (asked === undefined) return undefined;
  const request = parseQuantity(asked);
  const allocated = parseQuantity(status?.allocatedResources?.['storage'] ?? '0');
  const larger = allocated.cmp(request) > 0 ? allocated : request;
  return new Quantity(larger.value() * onePerUnit, larger.format);
}

function attributeClasses({ spec, status }: PersistentVolumeClaim): Set<string> {
  const names = [
    spec?.volumeAttributesClassName,
    status?.currentVolumeAttributesClassName,
    status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
  ];
  return new Set(names.filter((name): name is string => name !== undefined && name !== ''));
}
