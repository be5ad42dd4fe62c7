/** Commands that a person runs beside the agents, for front ends: with the same care for their processes. */
export {
  createProcessSupervisor,
  type ProcessSupervisor,
} from '../../processes/process-supervisor.js';
export type { CommandResult } from '../../processes/run/command-result.js';
export { frame } from '../../core/text/frame.js';
