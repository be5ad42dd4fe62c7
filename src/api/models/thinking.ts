/** How much a model thinks, for front ends. */
export { toThinking } from '../../model/choice/to-thinking.js';
