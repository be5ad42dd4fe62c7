/** Commands for runs without a person. */
export { withoutPerson } from '../../actors/contract/without-person.js';
