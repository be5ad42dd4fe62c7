/** The sandbox of commands: what settings ask for, and opening one. For front ends. */
export { openSandbox } from '../processes/sandbox/open-sandbox.js';
export { mergeSandbox, sandboxOf } from '../settings/merge-sandbox.js';
