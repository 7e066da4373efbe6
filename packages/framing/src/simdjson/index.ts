export { createSimdjsonValidator, type SimdjsonValidator } from './validator.ts';
