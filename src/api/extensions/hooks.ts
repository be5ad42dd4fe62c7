/** Hooks from a front end. */
export { checkHooks } from '../../extensions/hooks/check-hooks.js';
export { joinHooks } from '../../extensions/hooks/join-hooks.js';
