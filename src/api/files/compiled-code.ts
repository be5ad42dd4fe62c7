/** The compiled code that Node keeps between starts, for front ends. */
export { keepCompiledCode } from '../../files/compiled-code.js';
