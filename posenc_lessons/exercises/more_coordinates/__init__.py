"""The exercises of lesson 11."""

from posenc_lessons.exercises.more_coordinates import multimodal, patches, turning

check_after_image = multimodal.AFTER_IMAGE
check_axial_rotate = turning.AXIAL_ROTATE
check_axis_of_pairs = multimodal.AXIS_OF_PAIRS
check_fit_coordinates = patches.FIT_COORDINATES
check_frame_times = multimodal.FRAME_TIMES
check_mixed_angles = turning.MIXED_ANGLES
check_number_patches = patches.NUMBER_PATCHES
check_swin_rows = patches.SWIN_ROWS
