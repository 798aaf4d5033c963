/** The program that keeps a store's place, as a command line names it. */
export const placeKeeperProgram = new URL('./main.ts', import.meta.url);
export { askStorePlace, type StorePlace } from './store-place.ts';
