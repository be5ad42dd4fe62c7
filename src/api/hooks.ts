/** Hooks that a front end brings. */
export { splitHooks } from '../extensions/hooks/check-hooks.js';
export { joinHooks } from '../extensions/hooks/join-hooks.js';
