"""The exercises of lesson 11."""

from posenc_lessons.exercises.more_coordinates.multimodal import AFTER_IMAGE, AXIS_OF_PAIRS, FRAME_TIMES
from posenc_lessons.exercises.more_coordinates.patches import FIT_COORDINATES, NUMBER_PATCHES, SWIN_ROWS
from posenc_lessons.exercises.more_coordinates.turning import AXIAL_ROTATE, MIXED_ANGLES

check_after_image = AFTER_IMAGE
check_axial_rotate = AXIAL_ROTATE
check_axis_of_pairs = AXIS_OF_PAIRS
check_fit_coordinates = FIT_COORDINATES
check_frame_times = FRAME_TIMES
check_mixed_angles = MIXED_ANGLES
check_number_patches = NUMBER_PATCHES
check_swin_rows = SWIN_ROWS
