export { createOrchestrator } from './actors/orchestrator.js';
