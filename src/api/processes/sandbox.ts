/** The sandbox of commands: options from settings, and opening it. For front ends. */
export { openSandbox } from '../../processes/sandbox/open-sandbox.js';
export { mergeSandbox, sandboxOf } from '../../settings/merge/merge-sandbox.js';
