/** Group of the cases about processes and pipes. */
export const transportGroup = 'transport';
