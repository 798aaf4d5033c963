/** Entry of the page. */
import { App } from './app.ts';

const root = document.querySelector<HTMLElement>('#app');
if (root) new App(root).start();
