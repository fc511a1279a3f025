// Pictures that people give us to show: what they are by their bytes, and how they are served so that they stay pictures.
export { maxPictureBytes, pictureHeaders, pictureTypes, readPicture } from "./picture.ts";
