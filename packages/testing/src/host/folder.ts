/** Beginning of the name of every host's folder, in the folder for temporary files. */
export const hostFolderPrefix = 'wherry-testing-';

/** In a host's folder: which process it belongs to. */
export const ownerFile = 'owner.json';
