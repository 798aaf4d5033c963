export default {
  testMatch: ['**/test/*.jest.test.ts'],
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': './strip-types.cjs' },
};
