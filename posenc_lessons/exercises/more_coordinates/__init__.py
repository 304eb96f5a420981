"""The exercises of lesson 11."""

from posenc_lessons.exercises.more_coordinates import multimodal, patches, turning

check_after_image = multimodal.AFTER_IMAGE
check_axial_rotate = turning.AXIAL_ROTATE
check_number_patches = patches.NUMBER_PATCHES
